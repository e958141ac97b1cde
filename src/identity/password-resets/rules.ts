import type { Caller } from '../../platform/access/caller.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { PasswordResetRow, TenantRow, UserRow } from '../../platform/database/tables.ts'
import { conflict, forbidden, notFound } from '../../platform/faults.ts'
import { hashSecret } from '../../platform/random-secret.ts'
import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import { isCallerOrIssuer } from '../api-keys/caller-or-issuer.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import { giverOf, type LinkGiver, mayStillGive } from '../api-keys/link-giver.ts'
import type { Outbox } from '../mail/outbox.ts'
import { newPasswordMail } from '../mail/texts.ts'
import { Background } from '../sessions/background.ts'
import type { Confirmations } from '../sessions/factors/confirmations.ts'
import type { Confirmation } from '../sessions/factors/contract.ts'
import type { Account } from '../sessions/known-device.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { SessionRules, SignInFacts } from '../sessions/rules.ts'
import { CONSOLE } from '../sessions/session-opener.ts'
import { putPassword, requireGoodPassword } from '../sessions/set-password.ts'
import { lockedActiveUser, lockedUser } from '../sessions/lock-rules.ts'
import { newLink, unusableLink } from '../tenants/links.ts'
import { requireTenant } from '../tenants/rules.ts'
import { parseSettings } from '../tenants/settings.ts'
import { requireManageable } from '../users/bounds.ts'
import { activeUser, findUser } from '../users/rules.ts'
import type {
  PasswordForgotten,
  PasswordReset,
  PasswordResetLink,
  PasswordResetSent,
  PasswordResetShown,
} from './contract.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000
/** Time that a link of an administrator works. */
const GIVEN_MS = 72 * HOUR_MS
/** Time that a link works for a person who asked for it at sign-in and waits for the mail. */
const FORGOTTEN_MS = HOUR_MS
/** Tries from a network address: 60 at once, then 20 a minute. */
const TRIES = { capacity: 60, intervalMs: 3_000 }
/** Mails to a user: three at once, then one every twenty minutes. */
const MAILS = { capacity: 3, intervalMs: 20 * 60_000 }

export interface PasswordResetOptions {
  readonly database: Database
  readonly sessions: SessionRules
  readonly passwords: Passwords
  readonly confirmations: Confirmations
  /** Null where the service sends no mail; an administrator then gets the link. */
  readonly outbox: Outbox | null
  readonly publicUrl: () => string
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

/** Gives and uses links by which people choose a new password. A link does not sign its user in. */
export class PasswordResetRules {
  readonly #options: PasswordResetOptions
  readonly #database: Database
  readonly #now: () => number
  readonly #tries = new TokenBuckets(TRIES.capacity, TRIES.intervalMs)
  readonly #mails = new TokenBuckets(MAILS.capacity, MAILS.intervalMs)
  readonly #background: Background

  constructor(options: PasswordResetOptions) {
    this.#options = options
    this.#database = options.database
    this.#now = options.now ?? Date.now
    this.#background = new Background(options.onError)
  }

  /**
   * Makes a link for another user, who may do no more than the caller. A signed-in person proves again who they are: with
   * the link a stolen session would become another person for good.
   * @throws Fault not_found; forbidden, also of type proof_needed; conflict for a disabled user
   */
  async give(
    caller: Caller,
    userId: string,
    confirmation: Confirmation | undefined,
    facts: SignInFacts,
  ): Promise<PasswordResetSent> {
    const tenantId = caller.tenant.id
    const { outbox, confirmations } = this.#options
    const { queries } = this.#database
    await requireLinkable(queries, caller, await findUser(queries, tenantId, userId))
    const expiresAt = this.#now() + GIVEN_MS
    const link = await confirmations.giving({ caller, confirmation, facts }, true, (requireProof) =>
      this.#database.write(async (tx) => {
        await requireLasting(tx, caller)
        await requireProof(tx)
        const user = await requireLinkable(tx, caller, await lockedUser(tx, tenantId, userId))
        return this.#put(tx, await requireTenant(tx, tenantId), user, { expiresAt, giver: giverOf(caller) }, caller)
      }, tenantId),
    )
    outbox?.wake()
    return { expires_at: new Date(expiresAt).toISOString(), link: outbox === null ? link : null }
  }

  /**
   * Mails a link to each user who signs in with this email address and a password. The work runs in the background, so
   * that the client cannot tell whether there is such a user.
   * @throws Fault conflict when the service sends no mail; rate_limited
   */
  forgotten({ email, tenant = null }: PasswordForgotten, facts: SignInFacts): void {
    if (this.#options.outbox === null)
      throw conflict(['body'], 'This service sends no mail; ask an administrator for a link')
    this.#countTry(facts)
    this.#background.start(() => this.#mail(email, tenant, facts))
  }

  /**
   * Tells the person who has a link whose password it sets.
   * @throws Fault not_found for a link that is unknown, used, replaced or over; rate_limited
   */
  async show({ token }: PasswordResetLink, facts: SignInFacts): Promise<PasswordResetShown> {
    const { queries } = this.#database
    this.#countTry(facts)
    const reach = await this.#options.sessions.reach(facts.host, null)
    const row = await store.findReset(queries, reach, hashSecret(token), this.#now())
    const user = row === null ? null : await activeUser(queries, row.tenant_id, row.user_id)
    if (row === null || user === null) throw unusableLink()
    if (!(await mayStillBeGiven(queries, row, user))) throw unusableLink()
    // A person with a valid link may look at it any number of times; only guesses count.
    this.#tries.giveBack(facts.address, this.#now())
    const { name } = await requireTenant(queries, row.tenant_id)
    return { email: user.email, tenant_name: name, expires_at: new Date(row.expires_at).toISOString() }
  }

  /**
   * Sets the password of the link's user, and signs the user out everywhere. An unknown link takes as long as a valid
   * one, because the password is hashed first.
   * @returns the account
   * @throws Fault not_found for a link that is unknown, used, replaced or over; invalid for the password
   */
  async use({ token, password }: PasswordReset, facts: SignInFacts): Promise<Account> {
    const { passwords, sessions } = this.#options
    requireGoodPassword(password, ['body', 'password'])
    this.#countTry(facts)
    const hash = await passwords.hash(facts.address, password)
    const reach = await sessions.reach(facts.host, null)
    const row = await store.findReset(this.#database.queries, reach, hashSecret(token), this.#now())
    if (row === null) throw unusableLink()
    const { tenant_id: tenantId, user_id: userId } = row
    return this.#database.write(async (tx) => {
      const user = await lockedActiveUser(tx, tenantId, userId)
      if (user === null || !(await store.takeReset(tx, row))) throw unusableLink()
      if (!(await mayStillBeGiven(tx, row, user))) throw unusableLink()
      await putPassword(tx, tenantId, userId, hash, { userId, credentialId: null, audit: CONSOLE })
      return { tenantId, userId }
    }, tenantId)
  }

  /** Resolves when the work in the background has ended. */
  async close(): Promise<void> {
    await this.#background.idle()
  }

  #countTry({ address }: SignInFacts): void {
    this.#tries.takeOrRefuse(address, this.#now(), { loc: [], msg: 'Too many tries, try again later' })
  }

  async #mail(email: string, tenant: string | null, { host }: SignInFacts): Promise<void> {
    for (const { tenant_id: tenantId, id } of await this.#options.sessions.peopleAt(host, tenant, email)) {
      const now = this.#now()
      if (this.#mails.waitMs(`${tenantId} ${id}`, now) > 0) continue
      this.#mails.take(`${tenantId} ${id}`, now)
      await this.#database.write(async (tx) => {
        const user = await lockedActiveUser(tx, tenantId, id)
        if (user === null) return
        const client = { userId: null, credentialId: null, audit: CONSOLE }
        // Every client can ask for a link, so the new one lasts at least as long as a link that an administrator gave.
        const expiresAt = Math.max(now + FORGOTTEN_MS, (await store.resetEndsAt(tx, tenantId, id)) ?? 0)
        const terms = { expiresAt, giver: { userId: null, keyId: null } }
        await this.#put(tx, await requireTenant(tx, tenantId), user, terms, client)
      }, tenantId)
    }
    this.#options.outbox?.wake()
  }

  /** Stores a link, and its mail where the service sends mail. @returns the link */
  async #put(tx: Tx, tenant: TenantRow, user: UserRow, terms: Terms, actor: Actor): Promise<string> {
    const { outbox, publicUrl } = this.#options
    const { tenant_id: tenantId, id: userId } = user
    const { link, token } = newLink(tenant, publicUrl(), 'new-password')
    const { expiresAt, giver } = terms
    await store.putReset(tx, {
      tenant_id: tenantId,
      user_id: userId,
      hash: hashSecret(token),
      given_by_user_id: giver.userId,
      given_by_key_id: giver.keyId,
      created_at: this.#now(),
      expires_at: expiresAt,
    })
    if (outbox !== null) {
      const language = user.language ?? parseSettings(tenant.settings).language
      const mail = newPasswordMail(user.email, language, { tenantName: tenant.name, link, expiresAt })
      await outbox.put(tx, tenantId, mail, expiresAt)
    }
    await recordAudit(tx, tenantId, actor, [{ action: 'create', resourceType: 'password_reset', resourceId: userId }])
    return link
  }
}

/** End and giver of a link. */
interface Terms {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly giver: LinkGiver
}

/** Returns the user if the caller may give them a link. @throws Fault not_found, forbidden; conflict for a disabled user */
async function requireLinkable(db: Queries, caller: Caller, user: UserRow | null): Promise<UserRow> {
  const place = ['path', 'user_id']
  if (user === null || user.erased_at !== null) throw notFound(place, 'User')
  requireManageable(caller, user)
  // A stolen session alone must not replace the password that the person would have to prove.
  if (await isCallerOrIssuer(db, caller, user.id)) throw forbidden(place, 'Change your password in your profile')
  if (user.disabled_at !== null) throw conflict(place, 'The user is disabled; enable the user first')
  return user
}

/** Tells whether the giver of a link could give it today. */
function mayStillBeGiven(db: Queries, row: PasswordResetRow, user: UserRow): Promise<boolean> {
  const { tenant_id: tenantId, given_by_user_id: giverId, given_by_key_id: keyId } = row
  return mayStillGive(db, tenantId, { userId: giverId, keyId }, user)
}
