import type { Provider } from 'oidc-provider'
import type { Caller } from '../../../platform/access/caller.ts'
import { isScope, type Scope, SCOPES, withLowerCeilings } from '../../../platform/access/scopes.ts'
import type { Actor } from '../../../platform/audit/audit.ts'
import type { Static } from '../../../platform/contract/schema.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { Fault, forbidden, invalid, notFound } from '../../../platform/faults.ts'
import type { Confirmations } from '../../sessions/factors/confirmations.ts'
import type { SignInFacts } from '../../sessions/rules.ts'
import { holdsStill } from '../../sessions/lock-rules.ts'
import { NO_TENANT } from '../../tenants/realm.ts'
import { findTenant } from '../../tenants/rules.ts'
import { findUser } from '../../users/rules.ts'
import { accountIdOf } from './account.ts'
import { withoutLowerCeilings } from './authorize-params.ts'
import type { Consent } from '../contract.ts'
import { allowedScopes } from '../clients/client-metadata.ts'
import { extraOf, isDocumentClient, isProtocolError, tenantOfClient } from '../clients/client.ts'
import { narrowGrants } from './grants.ts'
import {
  type Client,
  documentRow,
  type Interaction,
  mustSignInAgain,
  paramOf,
  registrationOf,
  resourceOf,
} from './interaction.ts'
import { recordEvent } from '../protocol/records.ts'
import { destinationOf } from '../clients/redirect-uri.ts'
import * as clientStore from '../clients/client-store.ts'
import * as store from '../store.ts'
import { withOAuthTransaction } from '../../../platform/hidden-parameters.ts'

type FaultName = 'other_tenant' | 'registration_closed' | 'nothing_to_grant'

/** Answer of a person, in the form that the OAuth server takes. */
export type Result = Parameters<Provider['interactionResult']>[2]

/** Scopes that a person grants, with the proof of who they are where one is needed. */
export type ConsentDecision = Static<typeof Consent>

/** A request to authorize that waits for a person in a browser. */
export interface PendingRequest {
  readonly provider: Provider
  readonly interaction: Interaction
  readonly client: Client
}

/**
 * Asks a person to sign in and to consent, between an assistant's request and its answer. The person's answer becomes
 * a result for the OAuth server.
 */
export class InteractionRules {
  private readonly database: Database
  private readonly confirmations: Confirmations

  constructor(database: Database, confirmations: Confirmations) {
    this.database = database
    this.confirmations = confirmations
  }

  /**
   * Finds the request to authorize that waits in this browser.
   * @param find finds the interaction that this browser's cookies name
   * @throws Fault not_found when the interaction is over, or belongs to another browser
   */
  async open(provider: Provider, uid: string, find: () => Promise<Interaction>): Promise<PendingRequest> {
    let interaction: Interaction
    try {
      interaction = await find()
    } catch (error) {
      if (isProtocolError(error)) throw noInteraction()
      throw error
    }
    if (interaction.uid !== uid) throw noInteraction()
    const client = await provider.Client.find(paramOf(interaction, 'client_id'))
    // The client may have been removed, or may have given up the address, while the person decided.
    if (client === undefined || !client.redirectUriAllowed(paramOf(interaction, 'redirect_uri'))) throw noInteraction()
    return { provider, interaction, client }
  }

  /**
   * Returns the facts that the page for sign-in and consent shows.
   * @param person the caller who is signed in in this browser; null without a session
   */
  async details(pending: PendingRequest, person: Caller | null) {
    const { interaction, client } = pending
    const user = person?.userId ? await findUser(this.database.queries, person.tenant.id, person.userId) : null
    const tenant = person === null ? null : await findTenant(this.database.queries, person.tenant.id)
    const scopes = this.grantableScopes(pending, person)
    const fault = person === null ? null : this.faultOf(pending, person, scopes)
    const signedInAt = person === null ? null : await this.signedInAt(person)
    const documentHost = isDocumentClient(client) ? new URL(client.clientId).host : null
    return {
      prompt: interaction.prompt.name === 'login' ? ('login' as const) : ('consent' as const),
      client: {
        client_id: client.clientId,
        client_name: client.clientName ?? documentHost ?? client.clientId,
        document_host: documentHost,
        // This answer goes to the redirect_uri of this request, whatever else the client registered.
        returns_to: destinationOf(paramOf(interaction, 'redirect_uri')),
        registration: registrationOf(client),
      },
      scopes: scopes.map((name) => ({ name })),
      resource: resourceOf(interaction),
      user: user === null ? null : { email: user.email, name: user.name },
      tenant: tenant === null ? null : { id: tenant.tenant_id, name: tenant.name },
      fault,
      sign_in_again: mustSignInAgain(interaction, signedInAt),
    }
  }

  /** Continues as the signed-in person. @throws Fault unauthorized, forbidden, not_found */
  async signIn(pending: PendingRequest, caller: Caller | null): Promise<Result> {
    const person = requirePerson(caller)
    if (pending.interaction.prompt.name !== 'login') throw noInteraction()
    refuseFault(this.tenantFault(pending, person))
    const signedInAt = await this.signedInAt(person)
    if (signedInAt === null) throw signInFirst()
    if (mustSignInAgain(pending.interaction, signedInAt)) {
      throw forbidden(['header', 'cookie'], 'The application wants you to sign in again')
    }
    const accountId = accountIdOf({ tenantId: person.tenant.id, userId: person.userId })
    return { login: { accountId, remember: false, ts: Math.floor(signedInAt / 1_000) } }
  }

  /**
   * Grants the scopes that the person chose, never more than the client asked for or the person has. The person proves
   * again who they are for a grant that administers the tenant: it would outlast a stolen session.
   * @param decision the chosen scopes, and the proof where one is needed
   * @param finish hands the result to the OAuth server, in the same transaction
   * @throws Fault unauthorized, not_found; forbidden, of type proof_needed without the proof; invalid when no scope is
   *   chosen, or one that was not asked for, or the proof is wrong; rate_limited
   */
  async consent<T>(
    pending: PendingRequest,
    caller: Caller | null,
    { scopes: choice, confirmation }: ConsentDecision,
    facts: SignInFacts,
    finish: (result: Result) => Promise<T>,
  ): Promise<T> {
    const { interaction } = pending
    const person = requirePerson(caller)
    const accountId = accountIdOf({ tenantId: person.tenant.id, userId: person.userId })
    if (interaction.prompt.name !== 'consent') throw noInteraction()
    // Only the person who signed in for this request may consent to it.
    if (interaction.session?.accountId !== accountId) {
      throw forbidden(['header', 'cookie'], 'Somebody else has signed in meanwhile; start again from the application')
    }
    const scopes = this.grantableScopes(pending, person)
    refuseFault(this.faultOf(pending, person, scopes))
    // A person may grant a lower ceiling than the one that the request asks for.
    const allowed = withLowerCeilings(scopes)
    const excess = choice.findIndex((scope) => !allowed.has(scope))
    if (excess >= 0) throw invalid(['body', 'scopes', String(excess)], 'enum', 'The scope was not asked for')
    if (choice.length === 0) throw invalid(['body', 'scopes'], 'too_short', 'Choose at least one, or deny')
    const isAdministering = choice.includes('tenant:admin')
    return this.confirmations.giving({ caller: person, confirmation, facts }, isAdministering, (requireProof) =>
      // All or nothing: after an interruption the request is as it was, and the person decides again.
      this.database.write(
        (tx) =>
          withOAuthTransaction(tx, async () => {
            // The lock orders this consent with every other change of the person's grants, and of what the person may do.
            if (!(await holdsStill(tx, person))) throw signInFirst()
            if (isAdministering) await requireProof(tx)
            await this.claim(tx, pending, person)
            return finish({ consent: { grantId: await this.grant(tx, pending, person, choice) } })
          }),
        person.tenant.id,
      ),
    )
  }

  /** Returns the answer to the application when the person denies. */
  deny(): Result {
    return { error: 'access_denied', error_description: 'The person denied the request' }
  }

  /** Returns when the person signed in, in milliseconds since 1970; null when the session is over. */
  private async signedInAt(person: Caller): Promise<number | null> {
    return store.sessionStart(this.database.queries, person.tenant.id, person.credentialId ?? '')
  }

  /** Stores the grant of the chosen scopes, and narrows the person's earlier grants to this client. @returns its id */
  private async grant(
    tx: Tx,
    { provider, interaction, client }: PendingRequest,
    person: Person,
    choice: readonly Scope[],
  ) {
    const { clientId } = client
    const { userId, tenant } = person
    const resource = resourceOf(interaction)
    await narrowGrants(tx, tenant.id, { userId, clientId, resource }, choice, actorOf(person, clientId))
    const grant = new provider.Grant({ accountId: accountIdOf({ tenantId: tenant.id, userId }), clientId })
    const requested = paramOf(interaction, 'scope').split(' ')
    const refused = requested.filter((scope) => !(choice as readonly string[]).includes(scope))
    grant.addResourceScope(resource, choice.join(' '))
    grant.rejectResourceScope(resource, refused.join(' '))
    grant.addOIDCScope('openid offline_access')
    return grant.save()
  }

  /** Returns the scopes that the request asks for and the person has; without a person, all that it asks for. */
  private grantableScopes({ interaction, client }: PendingRequest, person: Caller | null): Scope[] {
    const allowed = new Set(allowedScopes(extraOf(client)))
    const requested = new Set(paramOf(interaction, 'scope').split(' '))
    const ofClient = SCOPES.filter((scope) => requested.has(scope) && allowed.has(scope))
    const ofPerson = person === null ? ofClient : ofClient.filter((scope) => person.scopes.has(scope))
    return withoutLowerCeilings(ofPerson).filter(isScope)
  }

  private faultOf(pending: PendingRequest, person: Caller, scopes: readonly Scope[]): FaultName | null {
    return this.tenantFault(pending, person) ?? (scopes.length === 0 ? 'nothing_to_grant' : null)
  }

  /** Returns why the person's tenant may not use the client; null when it may. */
  private tenantFault({ client }: PendingRequest, person: Caller): FaultName | null {
    const home = tenantOfClient(client)
    if (home !== NO_TENANT && home !== person.tenant.id) return 'other_tenant'
    const isOpen = person.tenant.settings.oauthRegistration === 'open'
    return registrationOf(client) !== 'key' && !isOpen ? 'registration_closed' : null
  }

  /**
   * Gives a client that registered itself to the tenant of the first person who consents.
   * @throws Fault forbidden when the client belongs to another tenant by now, not_found when it was removed meanwhile
   */
  private async claim(tx: Tx, { client }: PendingRequest, person: Caller): Promise<void> {
    const tenantId = person.tenant.id
    const { clientId } = client
    const actor = actorOf(person, clientId)
    const event = { action: 'create', resourceType: 'oauth_client', resourceId: clientId } as const
    if (isDocumentClient(client)) {
      const isNew = await clientStore.noteDocumentClient(tx, documentRow(client, tenantId))
      if (isNew) await recordEvent(tx, tenantId, actor, event)
    } else if (tenantOfClient(client) === NO_TENANT) {
      const isClaimed = await clientStore.claimClient(tx, clientId, tenantId)
      if (!isClaimed) throw forbidden(['path', 'uid'], 'The application belongs to another tenant by now')
      await recordEvent(tx, tenantId, actor, event)
    }
    // This locks the client's row, so that no other transaction removes the client during the consent.
    if (!(await clientStore.touchClient(tx, tenantId, clientId, Date.now()))) throw noInteraction()
  }
}

type Person = Caller & { readonly userId: string }

function requirePerson(person: Caller | null): Person {
  if (person === null || person.userId === null) throw signInFirst()
  return { ...person, userId: person.userId }
}

function refuseFault(fault: FaultName | null): void {
  if (fault !== null) throw forbidden(['path', 'uid'], FAULT_WORDS[fault])
}

const FAULT_WORDS: Readonly<Record<FaultName, string>> = {
  other_tenant: 'The application was registered for another tenant',
  registration_closed: 'The tenant does not accept applications that registered themselves',
  nothing_to_grant: 'You have none of the permissions that the application asks for',
}

const signInFirst = () =>
  new Fault('unauthorized', [{ loc: ['header', 'cookie'], msg: 'Sign in first', type: 'unauthorized' }])
const noInteraction = () => notFound(['path', 'uid'], 'Interaction')

/** Returns the person as the actor of the audit records of a consent to the client. */
function actorOf(person: Caller, clientId: string): Actor {
  return { userId: person.userId, credentialId: person.credentialId, audit: { source: 'console', clientId } }
}
