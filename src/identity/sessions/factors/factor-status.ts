import type { Queries } from '../../../platform/database/database.ts'
import * as store from './factor-store.ts'
import type { Holder } from './factor-store.ts'

/** Which second factors a user has, without anything that could be used. */
interface FactorStatus {
  readonly hasApp: boolean
  readonly passkeys: number
  readonly recoveryCodesLeft: number
}

/** For whoever helps a person with their second factors. */
export async function factorStatus(db: Queries, holder: Holder): Promise<FactorStatus> {
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    store.findTotp(db, holder),
    store.listPasskeys(db, holder),
    store.countRecoveryCodes(db, holder),
  ])
  return { hasApp: totp !== null && totp.sealed !== null, passkeys: passkeys.length, recoveryCodesLeft }
}
