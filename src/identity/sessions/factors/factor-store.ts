import type { Queries } from '../../../platform/database/database.ts'
import type { PasskeyRow, TotpRow } from '../../../platform/database/tables.ts'
import { findsAny } from '../../../platform/database/rows.ts'
import type { Reach } from '../reach.ts'

/** Most owners of one passkey that are compared, among the tenants of a host; a passkey of a person has one owner. */
const CANDIDATES_MAX = 5

/** User of a tenant who has second factors. */
export interface Holder {
  readonly tenantId: string
  readonly userId: string
}

/** Tells whether the user has a second factor. Recovery codes alone are none. */
export async function hasFactor(db: Queries, { tenantId, userId }: Holder): Promise<boolean> {
  const ofApp = db
    .selectFrom('user_totp')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('sealed', 'is not', null)
  const ofPasskey = db.selectFrom('passkeys').where('tenant_id', '=', tenantId).where('user_id', '=', userId)
  return (await findsAny(ofApp)) || findsAny(ofPasskey)
}

/** Finds the user's authenticator app, also one that waits for its first code. */
export async function findTotp(db: Queries, { tenantId, userId }: Holder): Promise<TotpRow | null> {
  const row = await db
    .selectFrom('user_totp')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Stores a secret that waits for its first code, in place of another secret that waits.
 * @param until end of the wait, in milliseconds since 1970
 */
export async function putPendingTotp(db: Queries, { tenantId, userId }: Holder, sealed: string, until: number) {
  const pending = { pending_sealed: sealed, pending_until: until }
  await db
    .insertInto('user_totp')
    .values({ tenant_id: tenantId, user_id: userId, sealed: null, confirmed_at: null, last_step: null, ...pending })
    .onConflict((c) => c.columns(['tenant_id', 'user_id']).doUpdateSet(pending))
    .execute()
}

/**
 * Puts a new secret into force in place of the old one, once its first code has come.
 * @param step number of the time step of that code
 * @returns whether this secret was still waiting
 */
export async function confirmTotp(
  db: Queries,
  { tenantId, userId }: Holder,
  sealed: string,
  step: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_totp')
    .set({ sealed, confirmed_at: now, last_step: step, pending_sealed: null, pending_until: null })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('pending_sealed', '=', sealed)
    .where('pending_until', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Counts the code of a time step as used.
 * @returns whether neither this code nor one of a later step was used before
 */
export async function useTotpStep(db: Queries, { tenantId, userId }: Holder, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_totp')
    .set({ last_step: step })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('sealed', 'is not', null)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes the user's authenticator app, also one that waits. @returns whether a confirmed app existed */
export async function deleteTotp(db: Queries, { tenantId, userId }: Holder): Promise<boolean> {
  const deleted = await db
    .deleteFrom('user_totp')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returning('sealed')
    .execute()
  return deleted.some(({ sealed }) => sealed !== null)
}

/** Replaces all recovery codes of the user. @param hashes of the new codes */
export async function putRecoveryCodes(db: Queries, holder: Holder, hashes: readonly string[]): Promise<void> {
  await deleteRecoveryCodes(db, holder)
  const { tenantId, userId } = holder
  const rows = hashes.map((hash) => ({ tenant_id: tenantId, user_id: userId, hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

export async function countRecoveryCodes(db: Queries, { tenantId, userId }: Holder): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Uses up a recovery code. @returns whether the user had this code */
export async function useRecoveryCode(db: Queries, { tenantId, userId }: Holder, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteRecoveryCodes(db: Queries, { tenantId, userId }: Holder): Promise<void> {
  await db.deleteFrom('recovery_codes').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
}

/** Lists the user's passkeys, oldest first. */
export async function listPasskeys(db: Queries, { tenantId, userId }: Holder): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Finds the passkeys of active users with an authenticator's id, in one tenant or in all tenants without a host. */
export async function passkeysByCredential(
  db: Queries,
  { tenantId }: Pick<Reach, 'tenantId'>,
  credentialId: string,
): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys as p')
    .innerJoin('tenants as t', 't.tenant_id', 'p.tenant_id')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'p.tenant_id').onRef('u.id', '=', 'p.user_id'))
    .selectAll('p')
    .where('p.credential_id', '=', credentialId)
    .where('u.disabled_at', 'is', null)
    .where((eb) => (tenantId === null ? eb('t.host', 'is', null) : eb('t.tenant_id', '=', tenantId)))
    .orderBy('p.tenant_id')
    .limit(CANDIDATES_MAX)
    .execute()
}

/** Stores a passkey. @returns false when a user of the tenant has a passkey with the same id of an authenticator */
export async function insertPasskey(db: Queries, row: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkeys')
    .values(row)
    .onConflict((c) => c.columns(['tenant_id', 'credential_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Renames a passkey. @returns the passkey; null when the user has none with this id */
export async function renamePasskey(
  db: Queries,
  { tenantId, userId }: Holder,
  id: string,
  name: string,
): Promise<PasskeyRow | null> {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Counts a use of the passkey.
 * @param before the authenticator's count of uses that the signature was checked against
 * @param counter the new count of the authenticator
 * @returns whether the passkey still exists, with the count `before`
 */
export async function usePasskey(
  db: Queries,
  { tenant_id: tenantId, id, counter: before }: PasskeyRow,
  counter: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('counter', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes a passkey. @returns whether the user had it */
export async function deletePasskey(db: Queries, { tenantId, userId }: Holder, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes all passkeys of the user. @returns the number of removed passkeys */
export async function deletePasskeys(db: Queries, { tenantId, userId }: Holder): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Notes that an administrator ended the user's factors. */
export async function noteReset(db: Queries, { tenantId, userId }: Holder, now: number): Promise<void> {
  await db
    .insertInto('factor_resets')
    .values({ tenant_id: tenantId, user_id: userId, reset_at: now })
    .onConflict((c) => c.columns(['tenant_id', 'user_id']).doUpdateSet({ reset_at: now }))
    .execute()
}

/**
 * Takes the note of `noteReset`, so that the user is told once.
 * @returns when an administrator ended the user's factors, in milliseconds since 1970; null without a note
 */
export async function takeReset(db: Queries, { tenantId, userId }: Holder): Promise<number | null> {
  const row = await db
    .deleteFrom('factor_resets')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returning('reset_at')
    .executeTakeFirst()
  return row?.reset_at ?? null
}
