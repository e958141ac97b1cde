import type { Queries } from '../../platform/database/database.ts'
import type { SessionRow, TenantRow, UserRow } from '../../platform/database/tables.ts'
import { lowerEmail } from '../users/email.ts'
import type { Reach } from './reach.ts'
import type { Account } from './known-device.ts'

/** Most users with one email address, in tenants that share a host, that a sign-in compares: each costs a hash. */
const CANDIDATES_MAX = 5

/** A user whose email address or linked account matches that of a sign-in. */
export interface Candidate {
  readonly user: UserRow
  readonly tenant: Pick<TenantRow, 'name' | 'settings' | 'suspended_at'>
  /** Null without a password. */
  readonly password: { readonly hash: string; readonly changedAt: number } | null
  /** When the service learned that a linked user has left every group; null or absent for all other users. */
  readonly leftAt?: number | null
}

/** Finds the users with an email address in all tenants within reach. The caller compares the password with each. */
export async function candidatesByEmail(db: Queries, reach: Reach, email: string): Promise<Candidate[]> {
  const rows = await select(db, reach).where('u.email', '=', lowerEmail(email)).execute()
  return rows.map(candidateOf)
}

/** Finds the active users with an email address and a password, in all tenants within reach that are not suspended. */
export async function peopleByEmail(db: Queries, reach: Reach, email: string): Promise<UserRow[]> {
  const candidates = await candidatesByEmail(db, reach, email)
  return candidates.flatMap(({ user, tenant, password }) =>
    user.disabled_at === null && tenant.suspended_at === null && password !== null ? [user] : [],
  )
}

/** Finds the users who are linked to a subject of an outside provider. */
export async function candidatesByIdentity(
  db: Queries,
  reach: Reach,
  issuer: string,
  subject: string,
): Promise<Candidate[]> {
  const rows = await select(db, reach)
    .innerJoin('user_identities as i', (join) =>
      join.onRef('i.tenant_id', '=', 'u.tenant_id').onRef('i.user_id', '=', 'u.id'),
    )
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .select('i.left_at')
    .execute()
  return rows.map(({ left_at: leftAt, ...row }) => ({ ...candidateOf(row), leftAt }))
}

function select(db: Queries, { tenantId, named }: Reach) {
  return (
    db
      .selectFrom('users as u')
      .innerJoin('tenants as t', 't.tenant_id', 'u.tenant_id')
      .leftJoin('user_passwords as p', (join) =>
        join.onRef('p.tenant_id', '=', 'u.tenant_id').onRef('p.user_id', '=', 'u.id'),
      )
      .selectAll('u')
      .select(['t.name as tenant_name', 't.settings', 't.suspended_at', 'p.hash', 'p.changed_at'])
      .where((eb) => (tenantId === null ? eb('t.host', 'is', null) : eb('t.tenant_id', '=', tenantId)))
      .$if(named !== null, (query) => query.where('t.tenant_id', '=', named!))
      // Active users first, so that disabled ones do not use up the limit.
      .orderBy((eb) => eb('u.disabled_at', 'is', null), 'desc')
      .orderBy('u.tenant_id')
      .limit(CANDIDATES_MAX)
  )
}

type CandidateRow = UserRow & {
  readonly tenant_name: string
  readonly settings: string
  readonly suspended_at: number | null
  readonly hash: string | null
  readonly changed_at: number | null
}

function candidateOf({
  tenant_name: name,
  settings,
  suspended_at,
  hash,
  changed_at: changedAt,
  ...user
}: CandidateRow): Candidate {
  return {
    user,
    tenant: { name, settings, suspended_at },
    password: hash === null ? null : { hash, changedAt: changedAt! },
  }
}

/**
 * Locks a user until the transaction ends, so that no other one disables the user or changes the password meanwhile.
 * @returns whether the user exists and is not disabled
 */
export async function lockUser(db: Queries, tenantId: string, userId: string): Promise<boolean> {
  // An update without a change locks the row on both databases and sees the last commit.
  const row = await db
    .updateTable('users')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .returning('disabled_at')
    .executeTakeFirst()
  return row !== undefined && row.disabled_at === null
}

/** Returns when a password was set, in milliseconds since 1970; null for a user without a password. */
export async function passwordChangedAt(db: Queries, tenantId: string, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('user_passwords')
    .select('changed_at')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.changed_at ?? null
}

/** Stores a user's password hash, or replaces it. */
export async function putPassword(
  db: Queries,
  tenantId: string,
  userId: string,
  hash: string,
  changedAt: number,
): Promise<void> {
  await db
    .insertInto('user_passwords')
    .values({ tenant_id: tenantId, user_id: userId, hash, changed_at: changedAt })
    .onConflict((c) => c.columns(['tenant_id', 'user_id']).doUpdateSet({ hash, changed_at: changedAt }))
    .execute()
}

/** Replaces the hash of an unchanged password by one of today's cost; `changed_at` stays. */
export async function replaceHash(db: Queries, tenantId: string, userId: string, hash: string): Promise<void> {
  await db
    .updateTable('user_passwords')
    .set({ hash })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Tells whether each of these accounts, and at least one, is signed in from an address.
 * @param address as `clientAddress` returns it
 */
export async function haveSessionsFrom(
  db: Queries,
  accounts: readonly Account[],
  address: string,
  now: number,
): Promise<boolean> {
  for (const { tenantId, userId } of accounts) {
    const row = await db
      .selectFrom('sessions')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', userId)
      .where('address', '=', address)
      .where('expires_at', '>', now)
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return false
  }
  return accounts.length > 0
}

/** Stores a new session. */
export async function insertSession(db: Queries, row: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(row).execute()
}

/** Finds the session of a cookie, even of a disabled user; null when it has ended. */
export async function findSession(db: Queries, hash: string, now: number): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** Finds a session by its id; null when it was deleted. */
export async function sessionById(db: Queries, tenantId: string, id: string): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Notes how strongly a person has proved in a session who they are. */
export async function setStrength(db: Queries, tenantId: string, id: string, strength: string): Promise<void> {
  await db.updateTable('sessions').set({ strength }).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Lets the user's sessions count as opened by password alone, after their last second factor is gone. */
export async function weakenSessionsOf(db: Queries, tenantId: string, userId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ strength: 'password' })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('strength', '=', 'second')
    .execute()
}

/** Signs a user out everywhere except in one session. @param id of the session that stays */
export async function deleteOtherSessionsOf(db: Queries, tenantId: string, userId: string, id: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('id', '!=', id)
    .execute()
}

/** Deletes a session. @returns whether the session existed */
export async function deleteSession(db: Queries, tenantId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Signs a user out everywhere, and ends sign-ins that wait for a second factor. */
export async function deleteSessionsOf(db: Queries, tenantId: string, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
  await db.deleteFrom('sign_in_steps').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
}

/** Signs a user out everywhere except in one session. @returns ids of the sessions that ended */
export async function deleteOtherSessions(
  db: Queries,
  tenantId: string,
  userId: string,
  keptId: string,
): Promise<string[]> {
  const rows = await db
    .deleteFrom('sessions')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('id', '!=', keptId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists at most `limit` sessions of a user that have not expired at `now` (milliseconds since 1970), newest first. */
export async function listSessions(
  db: Queries,
  tenantId: string,
  userId: string,
  now: number,
  limit: number,
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns a user's password as it is stored; null for a user without a password. */
export async function passwordOf(
  db: Queries,
  tenantId: string,
  userId: string,
): Promise<{ readonly hash: string; readonly changedAt: number } | null> {
  const row = await db
    .selectFrom('user_passwords')
    .select(['hash', 'changed_at'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? null : { hash: row.hash, changedAt: row.changed_at }
}

/** Tables of passwords, second factors and links, by which people sign in. */
const SIGN_IN_TABLES = [
  'user_passwords',
  'user_identities',
  'user_totp',
  'recovery_codes',
  'passkeys',
  'factor_resets',
] as const

/** Removes a user's password, second factors and links to accounts at outside providers. */
export async function forgetSignIn(db: Queries, tenantId: string, userId: string): Promise<void> {
  for (const table of SIGN_IN_TABLES) {
    await db.deleteFrom(table).where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
  }
}

/** Removes expired sessions, sign-ins that waited too long, and challenges of passkeys, of all tenants. */
export async function purgeSessions(db: Queries, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sign_in_steps').where('expires_at', '<=', now).execute()
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
}
