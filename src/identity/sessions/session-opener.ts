import { type AuditEvent, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { ProviderOrigin } from '../../platform/database/tables.ts'
import { newId } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/random-secret.ts'
import { asksForSecondFactor, type Strength } from '../credentials/session-strength.ts'
import { parseSettings } from '../tenants/settings.ts'
import { hasFactor, takeReset } from './factors/factor-store.ts'
import { insertStep } from './factors/step-store.ts'
import type { Candidate } from './store.ts'
import * as store from './store.ts'

/** Lifetime of a session: a working day. Use does not extend a session. */
export const SESSION_SECONDS = 12 * 60 * 60
/** Time for which a sign-in waits for its second factor. */
export const STEP_SECONDS = 600
/** Most sign-ins of one user that may wait at once. */
const STEPS_MAX = 10

/** Most characters of the User-Agent header that are stored; browsers need less than half of them. */
const BROWSER_LENGTH_MAX = 300

/** Audit source of people who sign in and out in a browser. */
export const CONSOLE = { source: 'console', clientId: null } as const

const OF_NO_PROVIDER: ProviderOrigin = {
  provider_issuer: null,
  provider_subject: null,
  provider_sid: null,
  provider_id_token: null,
}

/**
 * Checks a proof again in the transaction in which it counts.
 * @returns the audit events of its other changes; null when the proof does not hold
 */
type CheckAgain = (tx: Tx) => Promise<readonly AuditEvent[] | null>

/** Facts of a sign-in that its session keeps. */
interface Opening {
  /** Strength of the proof; `password` by default. */
  readonly strength?: Strength
  /** Address and browser of the person, which the list of their sessions shows. */
  readonly from?: { readonly address?: string; readonly browser?: string }
  /** Lifetime of the session; `SESSION_SECONDS` by default. */
  readonly seconds?: number
  /** Account at an outside provider that the session comes from, if any. */
  readonly origin?: ProviderOrigin
}

/** A new session. */
export interface OpenedSession {
  /** The cookie's value, which is not stored anywhere. */
  readonly secret: string
  /** When an administrator ended the person's second factors, in milliseconds since 1970; null when that is told. */
  readonly factorsResetAt: number | null
}

/** Proof of a person who signs in. */
interface Proof extends Opening {
  readonly strength: Strength
  /** When the proved password was set, in milliseconds since 1970; null for another proof than a password. */
  readonly passwordChangedAt: number | null
}

/** New session, or a sign-in that waits for a second factor until `expiresAt` (milliseconds since 1970). */
type Outcome =
  | ({ readonly kind: 'session' } & OpenedSession)
  | { readonly kind: 'step'; readonly secret: string; readonly expiresAt: number }

/**
 * Opens a session for a user who has proved who they are.
 * @param checkAgain checks the proof again in the same transaction
 * @returns null when the user may no longer sign in
 */
export async function openSession(
  database: Database,
  { user }: Pick<Candidate, 'user'>,
  now: number,
  checkAgain: CheckAgain,
  opening: Opening = {},
): Promise<OpenedSession | null> {
  const secret = newSecret()
  return database.write(async (tx) => {
    if (!(await store.lockUser(tx, user.tenant_id, user.id))) return null
    const events = await checkAgain(tx)
    return events === null ? null : putSession(tx, { user }, { ...opening, secret, now }, events)
  }, user.tenant_id)
}

/**
 * Opens a session like `openSession`, or begins the second step for a user who has a second factor.
 */
export async function admit(
  database: Database,
  { user, tenant }: Pick<Candidate, 'user' | 'tenant'>,
  { passwordChangedAt, ...opening }: Proof,
  now: number,
  checkAgain: CheckAgain,
): Promise<Outcome | null> {
  const secret = newSecret()
  const { tenant_id: tenantId, id: userId } = user
  const mayAsk = asksForSecondFactor(parseSettings(tenant.settings).requireSecondFactor, opening.strength)
  return database.write(async (tx): Promise<Outcome | null> => {
    if (!(await store.lockUser(tx, tenantId, userId))) return null
    const events = await checkAgain(tx)
    if (events === null) return null
    if (!mayAsk || !(await hasFactor(tx, { tenantId, userId }))) {
      return { kind: 'session', ...(await putSession(tx, { user }, { ...opening, secret, now }, events)) }
    }
    const expiresAt = now + STEP_SECONDS * 1_000
    const row = { tenant_id: tenantId, user_id: userId, hash: hashSecret(secret), failures: 0 }
    const times = { password_changed_at: passwordChangedAt, created_at: now, expires_at: expiresAt }
    const { seconds = SESSION_SECONDS, origin = OF_NO_PROVIDER } = opening
    await insertStep(tx, { ...row, ...times, ...origin, session_seconds: seconds }, STEPS_MAX)
    await recordAudit(tx, tenantId, { userId, credentialId: null, audit: CONSOLE }, events)
    return { kind: 'step', secret, expiresAt }
  }, tenantId)
}

interface PutSession extends Opening {
  readonly secret: string
  readonly now: number
}

async function putSession(
  tx: Tx,
  { user }: Pick<Candidate, 'user'>,
  { secret, now, strength = 'password', from = {}, seconds = SESSION_SECONDS, origin = OF_NO_PROVIDER }: PutSession,
  events: readonly AuditEvent[],
): Promise<OpenedSession> {
  const { tenant_id: tenantId, id: userId } = user
  const id = newId()
  const factorsResetAt = await takeReset(tx, { tenantId, userId })
  await store.insertSession(tx, {
    tenant_id: tenantId,
    id,
    hash: hashSecret(secret),
    user_id: userId,
    created_at: now,
    expires_at: now + seconds * 1_000,
    strength,
    factors_reset_at: factorsResetAt,
    address: from.address ?? null,
    browser: from.browser?.slice(0, BROWSER_LENGTH_MAX) ?? null,
    ...origin,
  })
  const signIn: AuditEvent = { action: 'sign_in', resourceType: 'session', resourceId: id }
  await recordAudit(tx, tenantId, { userId, credentialId: id, audit: CONSOLE }, [...events, signIn])
  return { secret, factorsResetAt }
}
