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

/** @throws Fault when the address is malformed or taken, or the role unknown */
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

export function requireRole(role: string): Role {
  const known = ROLES.find((name) => name === role)
  if (known === undefined) throw invalid(['role'], 'enum', `A role must be one of ${ROLES.join(', ')}`)
  return known
}

/** Returns the user of an id or email address. @throws Fault not_found, also when the person was erased */
export async function requireUser(db: Queries, tenantId: string, idOrEmail: string): Promise<UserRow> {
  const row = await store.findUser(db, tenantId, idOrEmail)
  if (row === null || row.erased_at !== null) throw notFound(['user'], `User ${idOrEmail}`)
  return row
}

/** Returns the user of an id or email address, also one who was disabled or erased; null when there is none. */
export function findUser(db: Queries, tenantId: string, idOrEmail: string): Promise<UserRow | null> {
  return store.findUser(db, tenantId, idOrEmail)
}

/** Returns the user of an id; null when there is none, or one who was disabled or erased. */
export async function activeUser(db: Queries, tenantId: string, id: string): Promise<UserRow | null> {
  const row = await store.findUser(db, tenantId, id)
  return row === null || row.disabled_at !== null ? null : row
}

/** Returns whether an id or email address belongs to a user, even to one who was disabled or erased. */
export async function hasUser(db: Queries, tenantId: string, idOrEmail: string): Promise<boolean> {
  return (await store.findUser(db, tenantId, idOrEmail)) !== null
}

/** Returns the users of these ids by their id, as far as they exist. */
export async function usersById(
  db: Queries,
  tenantId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, UserRow>> {
  const rows = await store.findUsers(db, tenantId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns whether the tenant would have no active administrator without this user. */
export async function isLastAdministrator(db: Queries, user: UserRow): Promise<boolean> {
  return isAdministrator(user) && !(await store.hasOtherAdministrator(db, user.tenant_id, user.id))
}
