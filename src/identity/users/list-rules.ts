import type { Queries } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import * as store from './store.ts'

/** Rows that a search reads at a time. */
const STEP_ROWS = 500

/** Filter of a list of users; an absent field leaves none out. */
export interface UserFilter {
  /** Text that the name or the address contains, in any case. */
  readonly words?: string
  readonly role?: string
  readonly disabled?: boolean
}

/**
 * Returns users sorted by email address, without erased ones. This process compares the names, since the databases
 * differ in which letters they treat as equal.
 */
export async function usersAfter(
  db: Queries,
  tenantId: string,
  { after, limit }: PageOf<readonly [email: string]>,
  filter: UserFilter,
): Promise<UserRow[]> {
  const matches = predicateOf(filter)
  if (matches === null) return store.usersAfter(db, tenantId, { after, limit })
  const users: UserRow[] = []
  for (let place = after; ;) {
    const rows = await store.usersAfter(db, tenantId, { after: place, limit: STEP_ROWS })
    users.push(...rows.filter(matches))
    if (users.length >= limit || rows.length < STEP_ROWS) return users.slice(0, limit)
    place = [rows[rows.length - 1].email]
    await threadSlices.pause(tenantId)
  }
}

/** Returns the predicate of a filter; null when the filter leaves no user out. */
function predicateOf({ words = '', role, disabled }: UserFilter): ((row: UserRow) => boolean) | null {
  if (words === '' && role === undefined && disabled === undefined) return null
  const part = words.toLowerCase()
  return (row) =>
    (row.email.includes(part) || row.name.toLowerCase().includes(part)) &&
    (role === undefined || row.role === role) &&
    (disabled === undefined || (row.disabled_at !== null) === disabled)
}

/** Returns all users of a tenant by email address, also erased ones, whose ids entries still name. */
export function everyUser(db: Queries, tenantId: string): Promise<UserRow[]> {
  return store.listUsers(db, tenantId)
}

/** Returns the users of a tenant by email address, without erased ones. */
export async function presentUsers(db: Queries, tenantId: string): Promise<UserRow[]> {
  return (await store.listUsers(db, tenantId)).filter((user) => user.erased_at === null)
}
