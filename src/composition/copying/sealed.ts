import { MAIL_SEAL } from '../../identity/mail/outbox.ts'
import { SIGNING_KEY_SEAL } from '../../identity/oauth/keys/signing-keys.ts'
import { TOTP_SEAL } from '../../identity/sessions/factors/sealed-totp.ts'
import { SALT_SEAL } from '../../insights/search-log/visitors.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Row } from './store.ts'

/** Returns the row with everything in it sealed for the target. */
export type Reseal = (table: string, row: Row) => Row

/** What each table has sealed under the installation's key: its columns, and what they are sealed for. */
const SEALED: Readonly<Record<string, { readonly columns: readonly string[]; readonly purpose: string }>> = {
  mail_outbox: { columns: ['sealed'], purpose: MAIL_SEAL },
  oauth_signing_keys: { columns: ['sealed'], purpose: SIGNING_KEY_SEAL },
  user_totp: { columns: ['sealed', 'pending_sealed'], purpose: TOTP_SEAL },
  visitor_salts: { columns: ['sealed'], purpose: SALT_SEAL },
}

/** Opens what one key has sealed and seals it with another. What the first one does not open stays as it is. */
export function resealer(from: SecretBox, to: SecretBox): Reseal {
  return (table, row) => {
    const sealed = SEALED[table]
    if (sealed === undefined) return row
    const again = sealed.columns.map((column) => {
      const value = row[column]
      const text = typeof value === 'string' ? from.open(sealed.purpose, value) : null
      return [column, text === null ? value : to.seal(sealed.purpose, text)]
    })
    return { ...row, ...(Object.fromEntries(again) as Row) }
  }
}
