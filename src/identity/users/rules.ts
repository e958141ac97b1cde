import { type Role, ROLES } from '../../platform/access/scopes.ts'
import { type Actor, OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { conflict, invalid, notFound } from '../../platform/faults.ts'
import { newId } from '../../platform/ids.ts'
import { requireTenant } from '../tenants/rules.ts'
import { isAdministrator } from './bounds.ts'
import { isEmail, lowerEmail } from './email.ts'
import * as store from './store.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly role: string
  /** The highest level that the user sees, where it is below that of the role. */
  readonly ceiling?: string | null
}

/**
 * Creates a user in a transaction of its own.
 * @throws Fault not_found for the tenant; invalid for the address or the role; conflict when the address is taken
 */
export async function createUser(
  database: Database,
  tenantId: string,
  user: NewUser,
  actor: Actor = OPERATOR,
): Promise<UserRow> {
  return database.write(async (tx) => {
    await requireTenant(tx, tenantId)
    return addUser(tx, tenantId, user, actor)
  }, tenantId)
}

/** Adds a user within a transaction, and records it. @throws Fault like `createUser`, without not_found */
export async function addUser(
  tx: Tx,
  tenantId: string,
  { email, name, role, ceiling = null }: NewUser,
  actor: Actor,
): Promise<UserRow> {
  if (!isEmail(email)) throw invalid(['email'], 'value_error', 'This is not an email address')
  if (await hasUser(tx, tenantId, email)) throw conflict(['email'], 'A user with this email address exists already')
  const row: UserRow = {
    tenant_id: tenantId,
    id: newId(),
    email: lowerEmail(email),
    name,
    role: requireRole(role),
    ceiling,
    language: null,
    disabled_at: null,
    erased_at: null,
    created_at: Date.now(),
  }
  await store.insertUser(tx, row)
  await recordAudit(tx, tenantId, actor, [{ action: 'create', resourceType: 'user', resourceId: row.id }])
  return row
}

/** Returns a text as a role. @throws Fault invalid when there is no such role */
export function requireRole(text: string): Role {
  const role = ROLES.find((name) => name === text)
  if (role === undefined) throw invalid(['role'], 'enum', `A role must be one of ${ROLES.join(', ')}`)
  return role
}

/** Returns the user with an id or email address. @throws Fault not_found, also for an erased user */
export async function requireUser(db: Queries, tenantId: string, idOrEmail: string): Promise<UserRow> {
  const row = await store.findUser(db, tenantId, idOrEmail)
  if (row === null || row.erased_at !== null) throw notFound(['user'], `User ${idOrEmail}`)
  return row
}

/** Returns the user with an id or email address, also a disabled or erased one; null when there is none. */
export function findUser(db: Queries, tenantId: string, idOrEmail: string): Promise<UserRow | null> {
  return store.findUser(db, tenantId, idOrEmail)
}

/** Returns the user with an id; null when there is none, and for a disabled or erased one. */
export async function activeUser(db: Queries, tenantId: string, id: string): Promise<UserRow | null> {
  const row = await store.findUser(db, tenantId, id)
  return row === null || row.disabled_at !== null ? null : row
}

/** Tells whether an id or email address belongs to a user, also to a disabled or erased one. */
export async function hasUser(db: Queries, tenantId: string, idOrEmail: string): Promise<boolean> {
  return (await store.findUser(db, tenantId, idOrEmail)) !== null
}

/** Returns users by id. Ids that belong to no user are left out. */
export async function usersById(
  db: Queries,
  tenantId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, UserRow>> {
  const rows = await store.findUsers(db, tenantId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Tells whether the tenant would have no active administrator without this user. */
export async function isLastAdministrator(db: Queries, user: UserRow): Promise<boolean> {
  return isAdministrator(user) && !(await store.hasOtherAdministrator(db, user.tenant_id, user.id))
}
