import type { SecretBox } from '../../../platform/secrets.ts'
import type { Holder } from './factor-store.ts'

/** What it is sealed for. */
export const TOTP_SEAL = 'authenticator apps'

interface Sealed extends Holder {
  readonly secret: string
}

/** Seals the secret of an authenticator app together with its holder, so that no row can take another one's secret. */
export function sealTotp(secrets: SecretBox, { tenantId, userId }: Holder, secret: string): string {
  const sealed: Sealed = { tenantId, userId, secret }
  return secrets.seal(TOTP_SEAL, JSON.stringify(sealed))
}

/** @returns the secret; null when it is another holder's, or was sealed with another key */
export function openTotp(secrets: SecretBox, { tenantId, userId }: Holder, sealed: string | null): string | null {
  const text = sealed === null ? null : secrets.open(TOTP_SEAL, sealed)
  if (text === null) return null
  const opened = JSON.parse(text) as Sealed
  return opened.tenantId === tenantId && opened.userId === userId ? opened.secret : null
}
