import type { ClientMetadata as ProviderMetadata } from 'oidc-provider'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Database, Queries, Tx } from '../../../platform/database/database.ts'
import type { OAuthClientRow } from '../../../platform/database/tables.ts'
import { conflict, forbidden, unauthorized } from '../../../platform/faults.ts'
import type { Static } from '../../../platform/contract/schema.ts'
import { newId } from '../../../platform/ids.ts'
import { hashSecret, newSecret } from '../../../platform/random-secret.ts'
import { NO_TENANT, type Realm, realmOfTenant } from '../../tenants/realm.ts'
import { keyOfCaller, lockValidKey } from '../../api-keys/list-rules.ts'
import { holdsStill } from '../../sessions/lock-rules.ts'
import { findTenant } from '../../tenants/rules.ts'
import { tenantSuspended } from '../../tenants/suspended.ts'
import { activeUser } from '../../users/rules.ts'
import { clientOfRow, metadataOf } from '../clients/client-metadata.ts'
import { checkMetadata, isProtocolError } from '../clients/client.ts'
import type { ClientRegistration } from '../contract.ts'
import { endGrantsOf } from '../authorize/grants.ts'
import { REGISTER } from '../paths.ts'
import type { ProviderPool } from '../protocol/provider-pool.ts'
import { clientItself, OAUTH_SERVER, recordEvent } from '../protocol/records.ts'
import { OAuthRefusal } from '../protocol/refusal.ts'
import { completed, limitsOf, requireActsAsBefore } from './registration-metadata.ts'
import { mayRegisterThemselves } from './registration-mode.ts'
import { makeRoomForClients } from './unused-clients.ts'
import * as clientStore from '../clients/client-store.ts'

type Registration = Static<typeof ClientRegistration>

/** Registration of clients (RFC 7591) and its management (RFC 7592). */
export class RegistrationRules {
  private readonly database: Database
  private readonly pool: ProviderPool
  private readonly publicUrl: () => string

  constructor(database: Database, pool: ProviderPool, publicUrl: () => string) {
    this.database = database
    this.pool = pool
    this.publicUrl = publicUrl
  }

  /**
   * Registers a client for the tenant of the key; without a key, for the tenant of the first person who consents.
   * @param caller null when no credential was sent
   * @throws Fault unauthorized or forbidden, also for an access token; OAuthRefusal per RFC 7591, section 3.2.2
   */
  async register(realm: Realm, caller: Caller | null, registration: Registration) {
    if (caller === null && !(await mayRegisterThemselves(this.database, realm))) throw needsKey()
    // The new client would outlive the grant or client that the token came from, and be listed with neither.
    if (caller !== null && caller.credentialKind !== 'key') {
      throw forbidden(
        ['header', 'authorization'],
        'An access token registers no clients: send an API key with the scope clients:register',
      )
    }
    if (caller?.tenant.settings.oauthRegistration === 'off') {
      throw forbidden([], 'This tenant registers no clients: its setting oauthRegistration is off')
    }
    const home = caller === null ? realm : await this.realmOf(caller.tenant.id)
    const limit = await this.actingLimit(caller)
    const metadata = completed(registration, { acting: limit, forPeople: null })
    const secret = newSecret()
    const managementToken = newSecret()
    const row: OAuthClientRow = {
      tenant_id: caller?.tenant.id ?? realm.tenantId ?? NO_TENANT,
      id: newId(),
      registration: caller === null ? 'open' : 'key',
      metadata: JSON.stringify(metadata),
      secret_hash: hashSecret(secret),
      management_hash: hashSecret(managementToken),
      scopes_max: limit === null ? '' : [...limit.scopes].join(' '),
      user_id: caller?.userId ?? null,
      key_id: caller?.credentialId ?? null,
      created_at: Date.now(),
      last_used_at: null,
    }
    await this.check(home, row)
    await this.database.write(async (tx) => {
      if (caller !== null) await requireStillValid(tx, caller)
      await clientStore.insertClient(tx, row)
      if (row.registration === 'open') await makeRoomForClients(tx, row.tenant_id)
      await recordEvent(tx, row.tenant_id, caller ?? OAUTH_SERVER, event('create', row.id))
    }, caller?.tenant.id)
    return {
      ...informationOf(row, home),
      client_secret: secret,
      client_secret_expires_at: 0,
      registration_access_token: managementToken,
    }
  }

  /**
   * Returns a client's registration.
   * @throws Fault unauthorized when the token does not belong to that client; forbidden for a suspended tenant
   */
  async read(realm: Realm, id: string, token: string | null) {
    return informationOf(await requireOwn(this.database.queries, realm, id, token), realm)
  }

  /**
   * Replaces the client's metadata; its secret and registration token stay.
   * @throws Fault unauthorized; forbidden for a suspended tenant; conflict when a consent gave the client to a tenant
   *   or the token ended meanwhile; OAuthRefusal
   */
  async update(realm: Realm, id: string, token: string | null, registration: Registration) {
    const before = await requireOwn(this.database.queries, realm, id, token)
    const change = completed(registration, limitsOf(before))
    requireActsAsBefore(metadataOf(before), change)
    const metadata = JSON.stringify(change)
    await this.check(realm, { ...before, metadata })
    return this.database.write(async (tx) => {
      // Read again: a consent may have given the client to a tenant meanwhile.
      const row = await requireOwn(tx, realm, id, token)
      requireActsAsBefore(metadataOf(row), change)
      if (!(await clientStore.updateClient(tx, row, { metadata }, row.management_hash))) throw changedMeanwhile()
      await recordEvent(tx, row.tenant_id, clientItself(id), event('update', id))
      return informationOf({ ...row, metadata }, realm)
    }, before.tenant_id)
  }

  /**
   * Removes the client with its grants and tokens.
   * @throws Fault unauthorized; forbidden for a suspended tenant; conflict when a consent gave the client to a tenant
   *   or the token ended meanwhile
   */
  async remove(realm: Realm, id: string, token: string | null): Promise<void> {
    await this.database.write(async (tx) => {
      const row = await requireOwn(tx, realm, id, token)
      if (!(await clientStore.deleteClient(tx, row.tenant_id, id, row.management_hash))) throw changedMeanwhile()
      await endGrantsOf(tx, row.tenant_id, { clientId: id }, clientItself(id))
      await recordEvent(tx, row.tenant_id, clientItself(id), event('delete', id))
    })
  }

  /**
   * Returns the caller whose scopes bound a client that acts for itself; null when the caller may not register such a
   * client. Only a key without an expiry may: the client would outlive an expiring key.
   */
  private async actingLimit(caller: Caller | null): Promise<Caller | null> {
    const key = caller === null ? null : await keyOfCaller(this.database.queries, caller)
    return key !== null && key.expires_at === null ? caller : null
  }

  private async realmOf(tenantId: string): Promise<Realm> {
    const tenant = await findTenant(this.database.queries, tenantId)
    if (tenant === null) throw needsKey()
    return realmOfTenant(tenant, this.publicUrl())
  }

  /** Refuses at registration a client that the OAuth server would refuse when it reads the client. */
  private async check(realm: Realm, row: OAuthClientRow): Promise<void> {
    try {
      await checkMetadata(await this.pool.of(realm), clientOfRow(row) as unknown as ProviderMetadata)
    } catch (error) {
      if (!isProtocolError(error)) throw error
      throw new OAuthRefusal(400, error.message, error.error_description)
    }
  }
}

/**
 * Returns the client that the registration token belongs to.
 * @throws Fault unauthorized; forbidden of type tenant_suspended for a token of a suspended tenant, and for no other, so
 *   that only the holder of a client learns of it
 */
async function requireOwn(db: Queries, realm: Realm, id: string, token: string | null): Promise<OAuthClientRow> {
  const row = await clientStore.findClient(db, realm, id)
  const hasToken = row !== null && token !== null && row.management_hash === hashSecret(token)
  if (!hasToken || !(await isRegistrantActive(db, row))) {
    throw refusedCredential('The registration access token is not valid')
  }
  if (await clientStore.isOfSuspended(db, realm, [row.id])) throw tenantSuspended()
  return row
}

/**
 * Tells whether the user who registered the client is active; true for a client that no user registered. A removed or
 * disabled user must not change the addresses that the client redirects other people to.
 */
async function isRegistrantActive(
  db: Queries,
  { tenant_id: tenantId, user_id: userId }: OAuthClientRow,
): Promise<boolean> {
  return userId === null || (await activeUser(db, tenantId, userId)) !== null
}

/**
 * Orders a registration with the end of the key that it uses: either the end finds the new client, or the key is refused
 * here.
 * @throws Fault unauthorized when the key or its user has ended meanwhile
 */
async function requireStillValid(tx: Tx, caller: Caller): Promise<void> {
  const { tenant, credentialId } = caller
  const isActive = await holdsStill(tx, caller)
  if (isActive && credentialId !== null && (await lockValidKey(tx, tenant.id, credentialId, Date.now()))) return
  throw refusedCredential('The API key is no longer valid')
}

/**
 * Reports a client that another transaction changed after it was read: on PostgreSQL a consent may move it to a tenant, or
 * its registration token may end, between two statements.
 */
const changedMeanwhile = () =>
  conflict(['path', 'client_id'], 'Another request changed this client first. Nothing was changed; send this one again')

const refusedCredential = (msg: string) => unauthorized(['header', 'authorization'], msg)
const needsKey = () =>
  refusedCredential(
    'An API key with the scope clients:register is required, or the tenant setting oauthRegistration=open, which lets ' +
      'assistants register themselves',
  )

function informationOf(row: OAuthClientRow, realm: Realm) {
  return {
    client_id: row.id,
    ...metadataOf(row),
    redirect_uris: [...metadataOf(row).redirect_uris],
    grant_types: [...metadataOf(row).grant_types],
    response_types: [...metadataOf(row).response_types],
    client_id_issued_at: Math.floor(row.created_at / 1_000),
    registration_client_uri: `${realm.issuer}${REGISTER}/${row.id}`,
  }
}

function event(action: 'create' | 'update' | 'delete', id: string) {
  return { action, resourceType: 'oauth_client', resourceId: id } as const
}
