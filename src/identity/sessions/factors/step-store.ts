import type { Queries } from '../../../platform/database/database.ts'
import type { PasskeyChallengeRow, SignInStepRow } from '../../../platform/database/tables.ts'
import type { Candidate } from '../store.ts'

/** Sign-in that waits for a second factor, with its user and tenant. */
export interface WaitingStep extends Pick<Candidate, 'user' | 'tenant'> {
  readonly step: SignInStepRow
  /** Host of the tenant; null for a tenant at the shared address. */
  readonly host: string | null
}

/**
 * Stores a sign-in that waits for a second factor.
 * @param stepsMax most sign-ins of the user that may wait; the oldest ones give way
 */
export async function insertStep(db: Queries, row: SignInStepRow, stepsMax: number): Promise<void> {
  const { tenant_id: tenantId, user_id: userId } = row
  await db.insertInto('sign_in_steps').values(row).execute()
  const newest = db
    .selectFrom('sign_in_steps')
    .select('hash')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .limit(stepsMax)
  await db
    .deleteFrom('sign_in_steps')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('hash', 'not in', newest)
    .execute()
}

/**
 * Finds the waiting sign-in of a cookie.
 * @returns null when the sign-in is over, its user is disabled or its tenant suspended
 */
export async function findStep(db: Queries, hash: string, now: number): Promise<WaitingStep | null> {
  const row = await db
    .selectFrom('sign_in_steps as s')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 's.tenant_id').onRef('u.id', '=', 's.user_id'))
    .innerJoin('tenants as t', 't.tenant_id', 's.tenant_id')
    .selectAll('u')
    .select([
      's.hash',
      's.password_changed_at',
      's.failures',
      's.created_at as step_created_at',
      's.expires_at',
      's.session_seconds',
      's.provider_issuer',
      's.provider_subject',
      's.provider_sid',
      's.provider_id_token',
    ])
    .select(['t.name as tenant_name', 't.settings', 't.suspended_at', 't.host'])
    .where('s.hash', '=', hash)
    .where('s.expires_at', '>', now)
    .where('u.disabled_at', 'is', null)
    .where('t.suspended_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  const { hash: stepHash, password_changed_at, failures, step_created_at, expires_at, session_seconds, ...more } = row
  const { provider_issuer, provider_subject, provider_sid, provider_id_token, ...rest } = more
  const { tenant_name: name, settings, suspended_at, host, ...user } = rest
  const { tenant_id, id: user_id } = user
  const step = {
    tenant_id,
    user_id,
    hash: stepHash,
    password_changed_at,
    failures,
    created_at: step_created_at,
    expires_at,
    session_seconds,
    provider_issuer,
    provider_subject,
    provider_sid,
    provider_id_token,
  }
  return { step, user, tenant: { name, settings, suspended_at }, host }
}

/** Ends a sign-in that waits. @returns whether it was still waiting */
export async function takeStep(db: Queries, { tenant_id: tenantId, hash }: SignInStepRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_steps')
    .where('tenant_id', '=', tenantId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts a wrong try. @param failuresMax number of wrong tries with which the sign-in ends */
export async function countFailure(
  db: Queries,
  { tenant_id: tenantId, hash }: SignInStepRow,
  failuresMax: number,
): Promise<void> {
  await db
    .updateTable('sign_in_steps')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('hash', '=', hash)
    .execute()
  await db
    .deleteFrom('sign_in_steps')
    .where('tenant_id', '=', tenantId)
    .where('hash', '=', hash)
    .where('failures', '>=', failuresMax)
    .execute()
}

/** Stores the challenge that a passkey must sign, in place of an earlier challenge of the same key. */
export async function putChallenge(db: Queries, row: PasskeyChallengeRow): Promise<void> {
  const { challenge, expires_at } = row
  await db
    .insertInto('passkey_challenges')
    .values(row)
    .onConflict((c) => c.columns(['tenant_id', 'purpose', 'bound_to']).doUpdateSet({ challenge, expires_at }))
    .execute()
}

/** Takes the challenge that a passkey must sign, and removes it. @returns null without one, or when it has expired */
export async function takeChallenge(
  db: Queries,
  { tenant_id: tenantId, purpose, bound_to: boundTo }: Pick<PasskeyChallengeRow, 'tenant_id' | 'purpose' | 'bound_to'>,
  now: number,
): Promise<string | null> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', purpose)
    .where('bound_to', '=', boundTo)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst()
  return row !== undefined && row.expires_at > now ? row.challenge : null
}
