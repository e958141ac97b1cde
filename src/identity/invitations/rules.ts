import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { InvitationRow, TenantRow, UserRow } from '../../platform/database/tables.ts'
import { conflict, type Fault, invalid, notFound } from '../../platform/faults.ts'
import { newId } from '../../platform/ids.ts'
import { hashSecret } from '../../platform/random-secret.ts'
import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import { giverOf, mayStillGive } from '../api-keys/link-giver.ts'
import type { Outbox } from '../mail/outbox.ts'
import { invitationMail } from '../mail/texts.ts'
import { administers, type Confirmations, type GivingRequest } from '../sessions/factors/confirmations.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { NewSession, SessionRules, SignInFacts } from '../sessions/rules.ts'
import { CONSOLE } from '../sessions/session-opener.ts'
import { putPassword, requireGoodPassword } from '../sessions/set-password.ts'
import { newLink, unusableLink } from '../tenants/links.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import { requireTenant } from '../tenants/rules.ts'
import { parseSettings } from '../tenants/settings.ts'
import { requireGivable } from '../users/bounds.ts'
import { isEmail, lowerEmail } from '../users/email.ts'
import { addUser, findUser, hasUser, usersById } from '../users/rules.ts'
import {
  HOURS_DEFAULT,
  type Invitation,
  type InvitationAccept,
  type InvitationCreate,
  type InvitationLink,
  type InvitationRenewal,
  type InvitationSent,
  type InvitationShown,
} from './contract.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000
/** Most invitations of a tenant that are not accepted. */
const OPEN_MAX = 1_000
/** Links of a tenant: 500 at once, then one every ten seconds. Each may be a mail to a stranger. */
const LINKS = { capacity: 500, intervalMs: 10_000 }
/** Tries from a network address: 60 at once, then 20 a minute. A try costs the hash of a password. */
const TRIES = { capacity: 60, intervalMs: 3_000 }
const TOO_MANY_TRIES = { loc: [], msg: 'Too many tries, try again later' }

export interface InvitationRulesOptions {
  readonly database: Database
  readonly sessions: SessionRules
  readonly passwords: Passwords
  readonly confirmations: Confirmations
  /** Null where the service sends no mail; the answer then has the link. */
  readonly outbox: Outbox | null
  readonly publicUrl: () => string
  readonly now?: () => number
}

/** Sends, lists and withdraws invitations, and makes a user of the person who accepts one. */
export class InvitationRules {
  readonly #options: InvitationRulesOptions
  readonly #database: Database
  readonly #now: () => number
  readonly #links = new TokenBuckets(LINKS.capacity, LINKS.intervalMs)
  readonly #tries = new TokenBuckets(TRIES.capacity, TRIES.intervalMs)

  constructor(options: InvitationRulesOptions) {
    this.#options = options
    this.#database = options.database
    this.#now = options.now ?? Date.now
  }

  /** Returns a page of the invitations that are not accepted, sorted by email address. */
  async list({ tenant }: Caller, page: PageOf<readonly [email: string]>): Promise<Page<Invitation, readonly [string]>> {
    const { queries } = this.#database
    const { items, next } = await readPage(
      tenant.id,
      page,
      (after, limit) => store.listInvitations(queries, tenant.id, { after, limit }),
      ({ email }) => [email] as const,
    )
    const ids = items.flatMap(({ invited_by_user_id: id }) => id ?? [])
    const users = await usersById(queries, tenant.id, ids)
    return { items: items.map((row) => invitationOf(row, users.get(row.invited_by_user_id ?? ''))), next }
  }

  /**
   * Invites a person to a role and ceiling that allow no more than the caller may do. A signed-in person proves again
   * who they are to invite an administrator.
   * @throws Fault invalid or forbidden, naming the field; forbidden of type proof_needed; conflict when the address has a
   *   user or an invitation already
   */
  async invite(caller: Caller, draft: InvitationCreate, facts: SignInFacts): Promise<InvitationSent> {
    const { role, ceiling = null, expires_in_hours: hours, confirmation } = draft
    const email = lowerEmail(draft.email)
    requireGivable(caller, { role, ceiling })
    if (!isEmail(email)) throw invalid(['body', 'email'], 'value_error', 'This is not an email address')
    const id = newId()
    const tenantId = caller.tenant.id
    await requireInvitable(this.#database.queries, tenantId, email)
    const isForAdministrator = administers({ role, ceiling })
    return this.#send({ caller, confirmation, facts }, { hours, isForAdministrator }, async (tx, link) => {
      await requireInvitable(tx, tenantId, email)
      const row: InvitationRow = { tenant_id: tenantId, id, email, role, ceiling, ...link }
      await store.insertInvitation(tx, row)
      await recordAudit(tx, tenantId, caller, [{ action: 'create', resourceType: 'invitation', resourceId: id }])
      return row
    })
  }

  /**
   * Sends an invitation again, by a new link that ends the old one.
   * @throws Fault not_found; forbidden when it gives more than the caller may do, and of type proof_needed
   */
  async sendAgain(
    caller: Caller,
    id: string,
    { expires_in_hours: hours, confirmation }: InvitationRenewal,
    facts: SignInFacts,
  ): Promise<InvitationSent> {
    const tenantId = caller.tenant.id
    const find = async (db: Queries): Promise<InvitationRow> => {
      const invitation = await store.findInvitation(db, tenantId, id)
      if (invitation === null) throw invitationNotFound()
      requireGivable(caller, invitation)
      return invitation
    }
    // The role and ceiling of an invitation never change.
    const isForAdministrator = administers(await find(this.#database.queries))
    return this.#send({ caller, confirmation, facts }, { hours, isForAdministrator }, async (tx, link) => {
      const old = await find(tx)
      await store.replaceLink(tx, tenantId, id, link)
      await recordAudit(tx, tenantId, caller, [{ action: 'update', resourceType: 'invitation', resourceId: id }])
      return { ...old, ...link }
    })
  }

  /** Withdraws an invitation. @throws Fault not_found */
  async withdraw(caller: Caller, id: string): Promise<void> {
    const tenantId = caller.tenant.id
    await this.#database.write(async (tx) => {
      if (!(await store.deleteInvitation(tx, tenantId, id))) throw invitationNotFound()
      await recordAudit(tx, tenantId, caller, [{ action: 'delete', resourceType: 'invitation', resourceId: id }])
    }, tenantId)
  }

  /**
   * Describes an invitation to the person who has its link. A link that cannot be accepted shows nothing.
   * @throws Fault not_found for a link that is unknown, used, replaced or over; rate_limited
   */
  async show({ token }: InvitationLink, { address, host }: SignInFacts): Promise<InvitationShown> {
    const { queries } = this.#database
    const now = this.#now()
    this.#tries.takeOrRefuse(address, now, TOO_MANY_TRIES)
    const reach = await this.#options.sessions.reach(host, null)
    const row = await store.findByHash(queries, reach, hashSecret(token), now)
    if (row === null || !(await mayStillInvite(queries, row))) throw unusableLink()
    // A person with a valid link may look at it any number of times; only guesses count.
    this.#tries.giveBack(address, now)
    const { tenant_id: tenantId, invited_by_user_id: inviterId } = row
    const [tenant, inviter] = await Promise.all([
      requireTenant(queries, tenantId),
      inviterId === null ? null : findUser(queries, tenantId, inviterId),
    ])
    return {
      email: row.email,
      role: row.role as InvitationShown['role'],
      tenant_name: tenant.name,
      invited_by: inviter?.name ?? null,
      expires_at: new Date(row.expires_at).toISOString(),
    }
  }

  /**
   * Makes a user of the person who has the link, and signs the person in. An unknown link takes as long as a valid one,
   * because the password is hashed first.
   * @throws Fault not_found for a link that is unknown, used, replaced or over; invalid for the password; conflict when
   *   the address has a user; rate_limited
   */
  async accept({ token, name, password }: InvitationAccept, facts: SignInFacts): Promise<NewSession> {
    const { passwords, sessions } = this.#options
    requireGoodPassword(password, ['body', 'password'])
    this.#tries.takeOrRefuse(facts.address, this.#now(), TOO_MANY_TRIES)
    const passwordHash = await passwords.hash(facts.address, password)
    const hash = hashSecret(token)
    const reach = await sessions.reach(facts.host, null)
    const row = await store.findByHash(this.#database.queries, reach, hash, this.#now())
    if (row === null) throw unusableLink()
    const { tenant_id: tenantId, id, email, role, ceiling } = row
    const newUser = await this.#database.write(async (tx) => {
      // The lock orders this with another invitation or user of the same address.
      await lockTenant(tx, tenantId)
      if (!(await store.deleteInvitation(tx, tenantId, id, hash))) throw unusableLink()
      if (!(await mayStillInvite(tx, row))) throw unusableLink()
      if (await hasUser(tx, tenantId, email))
        throw conflict(['body', 'token'], 'There is an account with this email address already; sign in with it')
      const newcomer = { userId: null, credentialId: id, audit: CONSOLE }
      const user = await addUser(tx, tenantId, { email, name, role, ceiling }, newcomer)
      const actor = { ...newcomer, userId: user.id }
      await putPassword(tx, tenantId, user.id, passwordHash, actor)
      await recordAudit(tx, tenantId, actor, [{ action: 'accept', resourceType: 'invitation', resourceId: id }])
      return user
    }, tenantId)
    return sessions.open(newUser, facts)
  }

  /**
   * Stores an invitation with a new link, and mails the link or returns it.
   * @param storeRow stores the invitation with the fields of the link
   */
  async #send(
    request: GivingRequest,
    { hours = HOURS_DEFAULT, isForAdministrator }: { readonly hours?: number; readonly isForAdministrator: boolean },
    storeRow: (tx: Tx, link: store.LinkFields) => Promise<InvitationRow>,
  ): Promise<InvitationSent> {
    const { outbox, publicUrl, confirmations } = this.#options
    const { caller } = request
    const tenantId = caller.tenant.id
    const now = this.#now()
    const expiresAt = now + hours * HOUR_MS
    const { row, link } = await confirmations.giving(request, isForAdministrator, (requireProof) => {
      this.#links.takeOrRefuse(tenantId, now, { loc: [], msg: 'Too many invitations at once, try again later' })
      return this.#database.write(async (tx) => {
        await lockTenant(tx, tenantId)
        await requireLasting(tx, caller)
        if (isForAdministrator) await requireProof(tx)
        const tenant = await requireTenant(tx, tenantId)
        const newest = newLink(tenant, publicUrl(), 'invitation')
        const fields = {
          hash: hashSecret(newest.token),
          invited_by_user_id: caller.userId,
          invited_by_key_id: giverOf(caller).keyId,
          created_at: now,
          expires_at: expiresAt,
        }
        const invitation = await storeRow(tx, fields)
        if (outbox !== null) await outbox.put(tx, tenantId, mailOf(tenant, invitation, newest.link), expiresAt)
        return { row: invitation, link: newest.link }
      }, tenantId)
    })
    outbox?.wake()
    const inviter = caller.userId === null ? null : await findUser(this.#database.queries, tenantId, caller.userId)
    return { ...invitationOf(row, inviter ?? undefined), link: outbox === null ? link : null }
  }
}

/**
 * Refuses an address that has a user or an invitation, and one too many.
 * @throws Fault conflict
 */
async function requireInvitable(db: Queries, tenantId: string, email: string): Promise<void> {
  if (await hasUser(db, tenantId, email))
    throw conflict(['body', 'email'], 'A user with this email address exists already')
  if (await store.findInvitation(db, tenantId, email))
    throw conflict(['body', 'email'], 'This address is invited already; send that invitation again')
  if ((await store.countInvitations(db, tenantId)) >= OPEN_MAX)
    throw conflict(['body'], `There are ${OPEN_MAX} open invitations already; withdraw some`)
}

function mailOf(tenant: TenantRow, { email, expires_at: expiresAt }: InvitationRow, link: string) {
  const { language } = parseSettings(tenant.settings)
  return invitationMail(email, language, { tenantName: tenant.name, link, expiresAt })
}

/** Tells whether the inviter could send the invitation today. */
function mayStillInvite(db: Queries, invitation: InvitationRow): Promise<boolean> {
  const { tenant_id: tenantId, invited_by_user_id: userId, invited_by_key_id: keyId } = invitation
  return mayStillGive(db, tenantId, { userId, keyId }, invitation)
}

function invitationOf(row: InvitationRow, inviter: UserRow | undefined): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as Invitation['role'],
    ceiling: row.ceiling as Invitation['ceiling'],
    invited_by: inviter === undefined ? null : { id: inviter.id, email: inviter.email, name: inviter.name },
    created_at: new Date(row.created_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
  }
}

function invitationNotFound(): Fault {
  return notFound(['path', 'invitation_id'], 'Invitation')
}
