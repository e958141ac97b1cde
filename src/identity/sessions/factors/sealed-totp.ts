import type { SecretBox } from '../../../platform/secrets.ts'
import type { Holder } from './factor-store.ts'

/** Purpose that the secrets of authenticator apps are sealed for. */
export const TOTP_SEAL = 'authenticator apps'

interface HolderSecret extends Holder {
  readonly secret: string
}

/** Seals the secret of an authenticator app together with its holder, so that no row can take another one's secret. */
export function sealTotp(secrets: SecretBox, { tenantId, userId }: Holder, secret: string): string {
  const content: HolderSecret = { tenantId, userId, secret }
  return secrets.seal(TOTP_SEAL, JSON.stringify(content))
}

/** Opens a sealed secret. @returns null for the secret of another holder, or one that was sealed with another key */
export function openTotp(secrets: SecretBox, { tenantId, userId }: Holder, sealed: string | null): string | null {
  const text = sealed === null ? null : secrets.open(TOTP_SEAL, sealed)
  if (text === null) return null
  const content = JSON.parse(text) as HolderSecret
  return content.tenantId === tenantId && content.userId === userId ? content.secret : null
}
