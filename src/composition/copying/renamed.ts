import { randomBytes } from 'node:crypto'
import type { Row } from '../../platform/database/table-shapes.ts'

/** Hexadecimal digits of a hash that no credential has. */
const HASH_BYTES = 32

/**
 * Tables whose rows belong to the tenant of their time alone, and so not to a copy under another name: what opens the
 * tenant or proves who its people are, what is on its way to them, and what it has used.
 */
const NOT_OF_COPIES: ReadonlySet<string> = new Set([
  'user_passwords',
  'user_totp',
  'passkeys',
  'recovery_codes',
  'user_identities',
  'oauth_clients',
  'publishable_origins',
  'sessions',
  'sign_in_steps',
  'passkey_challenges',
  'oauth_records',
  'invitations',
  'password_resets',
  'mail_outbox',
  'usage_days',
  'tenant_usage',
])

/** The names of a tenant and of its copy. */
export interface Renaming {
  readonly from: string
  readonly to: string
}

/** Tells whether a copy under another name has the rows of a table. */
export function isOfCopy(table: string): boolean {
  return !NOT_OF_COPIES.has(table)
}

/**
 * Makes a function that gives a row to the copy: with its id, also within stored JSON such as versions of entries,
 * without the host and reference, which are the original's. Keys are listed as revoked, and their values open nothing: no
 * credential of the original opens the copy.
 */
export function renamer({ from, to }: Renaming): (table: string, row: Row) => Row {
  const written = `"tenant_id":${JSON.stringify(from)}`
  return (table, row) => {
    const renamed: Record<string, Row[string]> = { ...row, tenant_id: to }
    for (const [column, value] of Object.entries(row))
      if (typeof value === 'string' && value.startsWith('{') && value.includes(written))
        renamed[column] = renamedJson(value, from, to)
    if (table === 'tenants') Object.assign(renamed, { host: null, reference: null, remove_at: null })
    if (table === 'api_keys')
      Object.assign(renamed, {
        hash: randomBytes(HASH_BYTES).toString('hex'),
        revoked_at: row.revoked_at ?? Date.now(),
      })
    return renamed
  }
}

function renamedJson(text: string, from: string, to: string): string {
  const value = JSON.parse(text) as { readonly tenant_id?: unknown }
  return value.tenant_id === from ? JSON.stringify({ ...value, tenant_id: to }) : text
}
