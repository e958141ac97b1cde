import type { Provider } from 'oidc-provider'
import type { Caller } from '../../../platform/access/caller.ts'
import { isScope, type Scope, SCOPES, withLowerCeilings } from '../../../platform/access/scopes.ts'
import type { Actor } from '../../../platform/audit/audit.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { Fault, forbidden, invalid, notFound } from '../../../platform/faults.ts'
import { lockUser } from '../../sessions/lock-rules.ts'
import { NO_TENANT } from '../../tenants/realm.ts'
import { findTenant } from '../../tenants/rules.ts'
import { findUser } from '../../users/rules.ts'
import { accountIdOf } from './account.ts'
import { withoutLowerCeilings } from './authorize-params.ts'
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

/** A person's answer, as the OAuth server takes it. */
export type Result = Parameters<Provider['interactionResult']>[2]

/** A request to authorize that waits for a person in a browser. */
export interface Opened {
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

  constructor(database: Database) {
    this.database = database
  }

  /**
   * @param find finds the interaction that this browser's cookies name
   * @throws Fault not_found when the interaction is over, or belongs to another browser
   */
  async open(provider: Provider, uid: string, find: () => Promise<Interaction>): Promise<Opened> {
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

  /** What the page shows. @param person the caller signed in in this browser; null when nobody is */
  async details(opened: Opened, person: Caller | null) {
    const { interaction, client } = opened
    const user = person?.userId ? await findUser(this.database.queries, person.tenant.id, person.userId) : null
    const tenant = person === null ? null : await findTenant(this.database.queries, person.tenant.id)
    const offered = this.offered(opened, person)
    const fault = person === null ? null : this.faultOf(opened, person, offered)
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
      scopes: offered.map((name) => ({ name })),
      resource: resourceOf(interaction),
      user: user === null ? null : { email: user.email, name: user.name },
      tenant: tenant === null ? null : { id: tenant.tenant_id, name: tenant.name },
      fault,
      sign_in_again: mustSignInAgain(interaction, signedInAt),
    }
  }

  /** Continues as the signed-in person. @throws Fault unauthorized, forbidden, not_found */
  async signIn(opened: Opened, caller: Caller | null): Promise<Result> {
    const person = requirePerson(caller)
    if (opened.interaction.prompt.name !== 'login') throw noInteraction()
    refuseFault(this.tenantFault(opened, person))
    const signedInAt = await this.signedInAt(person)
    if (signedInAt === null) throw signInFirst()
    if (mustSignInAgain(opened.interaction, signedInAt)) {
      throw forbidden(['header', 'cookie'], 'The application wants you to sign in again')
    }
    const accountId = accountIdOf({ tenantId: person.tenant.id, userId: person.userId })
    return { login: { accountId, remember: false, ts: Math.floor(signedInAt / 1_000) } }
  }

  /**
   * Grants the scopes that the person chose, never more than the client asked for or the person has.
   * @param finish tells the OAuth server, in the same transaction
   * @throws Fault unauthorized, forbidden, not_found; invalid when no scope is chosen, or one that was not asked for
   */
  async consent<T>(
    opened: Opened,
    caller: Caller | null,
    chosen: readonly Scope[],
    finish: (result: Result) => Promise<T>,
  ): Promise<T> {
    const { interaction } = opened
    const person = requirePerson(caller)
    const accountId = accountIdOf({ tenantId: person.tenant.id, userId: person.userId })
    if (interaction.prompt.name !== 'consent') throw noInteraction()
    // Only the person who signed in for this request may consent to it.
    if (interaction.session?.accountId !== accountId) {
      throw forbidden(['header', 'cookie'], 'Somebody else has signed in meanwhile; start again from the application')
    }
    const offered = this.offered(opened, person)
    refuseFault(this.faultOf(opened, person, offered))
    // A person may grant a lower ceiling than the one asked for.
    const givable = withLowerCeilings(offered)
    const unoffered = chosen.findIndex((scope) => !givable.has(scope))
    if (unoffered >= 0) throw invalid(['body', 'scopes', String(unoffered)], 'enum', 'The scope was not asked for')
    if (chosen.length === 0) throw invalid(['body', 'scopes'], 'too_short', 'Choose at least one, or deny')
    // All or nothing: after an interruption the request is as it was, and the person decides again.
    return this.database.write(
      (tx) =>
        withOAuthTransaction(tx, async () => {
          // The lock orders this with everything else that changes or ends this person's grants.
          if (!(await lockUser(tx, person.tenant.id, person.userId))) throw signInFirst()
          await this.claim(tx, opened, person)
          return finish({ consent: { grantId: await this.grant(tx, opened, person, chosen) } })
        }),
      person.tenant.id,
    )
  }

  /** The answer to the application when the person denies. */
  deny(): Result {
    return { error: 'access_denied', error_description: 'The person denied the request' }
  }

  /** In milliseconds since 1970; null when the session is over. */
  private async signedInAt(person: Caller): Promise<number | null> {
    return store.sessionStart(this.database.queries, person.tenant.id, person.credentialId ?? '')
  }

  /** Stores what the person chose and narrows what they allowed this client before. @returns the grant's id */
  private async grant(tx: Tx, { provider, interaction, client }: Opened, person: Person, chosen: readonly Scope[]) {
    const { clientId } = client
    const { userId, tenant } = person
    const resource = resourceOf(interaction)
    await narrowGrants(tx, tenant.id, { userId, clientId, resource }, chosen, personItself(person, clientId))
    const grant = new provider.Grant({ accountId: accountIdOf({ tenantId: tenant.id, userId }), clientId })
    const asked = paramOf(interaction, 'scope').split(' ')
    const refused = asked.filter((scope) => !(chosen as readonly string[]).includes(scope))
    grant.addResourceScope(resource, chosen.join(' '))
    grant.rejectResourceScope(resource, refused.join(' '))
    grant.addOIDCScope('openid offline_access')
    return grant.save()
  }

  /** Scopes that the request asks for and this person has; all that it asks for while nobody is signed in. */
  private offered({ interaction, client }: Opened, person: Caller | null): Scope[] {
    const allowed = new Set(allowedScopes(extraOf(client)))
    const asked = new Set(paramOf(interaction, 'scope').split(' '))
    const wanted = SCOPES.filter((scope) => asked.has(scope) && allowed.has(scope))
    const given = person === null ? wanted : wanted.filter((scope) => person.scopes.has(scope))
    return withoutLowerCeilings(given).filter(isScope)
  }

  private faultOf(opened: Opened, person: Caller, offered: readonly Scope[]): FaultName | null {
    return this.tenantFault(opened, person) ?? (offered.length === 0 ? 'nothing_to_grant' : null)
  }

  /** Why this person's tenant may not use the client; null when it may. */
  private tenantFault({ client }: Opened, person: Caller): FaultName | null {
    const home = tenantOfClient(client)
    if (home !== NO_TENANT && home !== person.tenant.id) return 'other_tenant'
    const isOpen = person.tenant.settings.oauthRegistration === 'open'
    return registrationOf(client) !== 'key' && !isOpen ? 'registration_closed' : null
  }

  /**
   * Gives a client that registered itself to the tenant of the first person who consents.
   * @throws Fault forbidden when the client belongs to another tenant by now, not_found when it was removed meanwhile
   */
  private async claim(tx: Tx, { client }: Opened, person: Caller): Promise<void> {
    const tenantId = person.tenant.id
    const { clientId } = client
    const actor = personItself(person, clientId)
    const event = { action: 'create', resourceType: 'oauth_client', resourceId: clientId } as const
    if (isDocumentClient(client)) {
      const isNew = await clientStore.noteDocumentClient(tx, documentRow(client, tenantId))
      if (isNew) await recordEvent(tx, tenantId, actor, event)
    } else if (tenantOfClient(client) === NO_TENANT) {
      const isClaimed = await clientStore.claimClient(tx, clientId, tenantId)
      if (!isClaimed) throw forbidden(['path', 'uid'], 'The application belongs to another tenant by now')
      await recordEvent(tx, tenantId, actor, event)
    }
    // This locks the client's row, so that nobody removes the client during the consent.
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

function personItself(person: Caller, clientId: string): Actor {
  return { userId: person.userId, credentialId: person.credentialId, audit: { source: 'console', clientId } }
}
