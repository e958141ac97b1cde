import type { Queries } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import * as store from './store.ts'

/** Rows that a search reads at a time. */
const SEARCHED_ROWS = 500

/** Which users a list has; without a field all. */
export interface WantedUsers {
  /** What the name or the address has to contain, in any case. */
  readonly words?: string
  readonly role?: string
  readonly disabled?: boolean
}

/**
 * Returns users sorted by email address, without those that were erased. Names are compared here, since the databases
 * differ in what they take for the same letter.
 */
export async function usersAfter(
  db: Queries,
  tenantId: string,
  { after, limit }: PageOf<readonly [email: string]>,
  wanted: WantedUsers,
): Promise<UserRow[]> {
  const isWanted = filterOf(wanted)
  if (isWanted === null) return store.usersAfter(db, tenantId, { after, limit })
  const users: UserRow[] = []
  for (let place = after; ;) {
    const rows = await store.usersAfter(db, tenantId, { after: place, limit: SEARCHED_ROWS })
    users.push(...rows.filter(isWanted))
    if (users.length >= limit || rows.length < SEARCHED_ROWS) return users.slice(0, limit)
    place = [rows[rows.length - 1].email]
    await threadSlices.pause(tenantId)
  }
}

/** Null when every user is wanted. */
function filterOf({ words = '', role, disabled }: WantedUsers): ((row: UserRow) => boolean) | null {
  if (words === '' && role === undefined && disabled === undefined) return null
  const part = words.toLowerCase()
  return (row) =>
    (row.email.includes(part) || row.name.toLowerCase().includes(part)) &&
    (role === undefined || row.role === role) &&
    (disabled === undefined || (row.disabled_at !== null) === disabled)
}

/** Returns all users of a tenant by email address, also the erased ones: what they wrote still names their ids. */
export function everyUser(db: Queries, tenantId: string): Promise<UserRow[]> {
  return store.listUsers(db, tenantId)
}

/** Returns the users of a tenant by email address, without those that were erased. */
export async function presentUsers(db: Queries, tenantId: string): Promise<UserRow[]> {
  return (await store.listUsers(db, tenantId)).filter((user) => user.erased_at === null)
}
