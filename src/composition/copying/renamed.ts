import { randomBytes } from 'node:crypto'
import type { Row } from '../../platform/database/table-shapes.ts'

/** Hexadecimal digits of a hash that no credential has. */
const HASH_BYTES = 32

/**
 * Tables whose rows belong to the tenant of their time alone, and so not to a copy under another name: what opens the
 * tenant, what is on its way to its people, and what it has used.
 */
const NOT_OF_COPIES: ReadonlySet<string> = new Set([
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

/**
 * Tables that a copy within the installation lacks too. At the address that tenants share, the id of a client and the
 * origin of a page say which tenant is meant.
 */
const NOT_BESIDE_ORIGINAL: ReadonlySet<string> = new Set(['oauth_clients', 'publishable_origins'])

/** The names of a tenant and of its copy. */
export interface Renaming {
  readonly from: string
  readonly to: string
  /** Whether the copy is in the installation of the original, where a credential can open one tenant only. */
  readonly isBeside: boolean
}

/** Tells whether a copy under another name has the rows of a table. */
export function isOfCopy({ isBeside }: Renaming, table: string): boolean {
  return !NOT_OF_COPIES.has(table) && !(isBeside && NOT_BESIDE_ORIGINAL.has(table))
}

/**
 * Makes a function that gives a row to the copy: with its id, also within stored JSON such as versions of entries,
 * without the host and reference, which are the original's. Keys beside the original are listed as revoked, since their
 * values go on to open the original.
 */
export function renamer({ from, to, isBeside }: Renaming): (table: string, row: Row) => Row {
  const written = `"tenant_id":${JSON.stringify(from)}`
  return (table, row) => {
    const renamed: Record<string, Row[string]> = { ...row, tenant_id: to }
    for (const [column, value] of Object.entries(row))
      if (typeof value === 'string' && value.startsWith('{') && value.includes(written))
        renamed[column] = renamedJson(value, from, to)
    if (table === 'tenants') Object.assign(renamed, { host: null, reference: null, remove_at: null })
    if (table === 'api_keys' && isBeside)
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
