import type { Queries } from '../../../platform/database/database.ts'
import * as store from './factor-store.ts'
import type { Holder } from './factor-store.ts'

/** Second factors that a user has, without any secret of theirs. */
interface FactorStatus {
  readonly hasApp: boolean
  readonly passkeys: number
  readonly recoveryCodesLeft: number
}

/** Returns which second factors a user has, for an administrator who helps the user. */
export async function factorStatus(db: Queries, holder: Holder): Promise<FactorStatus> {
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    store.findTotp(db, holder),
    store.listPasskeys(db, holder),
    store.countRecoveryCodes(db, holder),
  ])
  return { hasApp: totp !== null && totp.sealed !== null, passkeys: passkeys.length, recoveryCodesLeft }
}
