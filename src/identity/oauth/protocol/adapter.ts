import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Actor } from '../../../platform/audit/audit.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import type { OAuthRecordRow } from '../../../platform/database/tables.ts'
import { SecretBox } from '../../../platform/secrets.ts'
import { hashSecret } from '../../../platform/random-secret.ts'
import { NO_TENANT, type Realm } from '../../tenants/realm.ts'
import { lockValidKey } from '../../api-keys/list-rules.ts'
import { parseAccountId } from '../authorize/account.ts'
import { clientOfRow } from '../clients/client-metadata.ts'
import type { Voucher } from '../clients/client.ts'
import { grantedOf, isWithin } from '../authorize/granted.ts'
import { answersAgain, type Renewal, replacementFault, useRefreshToken } from '../tokens/token-family.ts'
import { OAUTH_SERVER, recordEvent } from './records.ts'
import * as clientStore from '../clients/client-store.ts'
import * as store from '../store.ts'
import { queriesOf, writeIn } from './storing.ts'

/** Kinds of objects of a browser before sign-in. Their tenant is the host's; at the shared address they have none. */
const OF_THE_BROWSER = new Set(['Session', 'Interaction'])
/** Kinds whose payload contains the id of a session. Each payload is encrypted with the id of its own object. */
const SEALED = new Set(['Interaction'])
const SEAL_PURPOSE = 'oauth record'
const boxOf = (id: string) => new SecretBox(() => id)
const TOKENS = new Set(['AccessToken', 'ClientCredentials', 'RefreshToken'])

const grantEvent = (action: 'create' | 'revoke', grantId: string) =>
  ({ action, resourceType: 'oauth_grant', resourceId: grantId }) as const

/** Returns the audit event for a client's own token. It names the client, since the id of a token is secret. */
const tokenRevoked = ({ client_id: clientId }: OAuthRecordRow) =>
  ({ action: 'revoke', resourceType: 'oauth_token', resourceId: clientId! }) as const

/** Returns the person who consents in the console as the actor. */
function consenting({ user_id: userId, client_id: clientId }: OAuthRecordRow): Actor {
  return { userId, credentialId: null, audit: { source: 'console', clientId } }
}

export interface AdapterOptions {
  readonly database: Database
  readonly realm: Realm
  /** Milliseconds after its rotation in which a refresh token may be used again. */
  readonly refreshGraceMs: number
  /** Returns the refresh token that the current request replaces; null when it replaces none. */
  readonly renewal: () => Renewal | null
  /** Returns the actor that revokes a token in the current request. */
  readonly revoker: () => Actor
  /** Returns the client that an API key vouches for in the current request; null without an API key. */
  readonly voucher: () => Voucher | null
}

/**
 * Returns adapters that store the objects of one realm's OAuth server in the database. Ids are stored as hashes,
 * because an id is the token itself. Each row has its tenant, and a realm finds only rows of its own tenants.
 */
export function adapterOf(options: AdapterOptions): (kind: string) => Adapter {
  return (kind) => (kind === 'Client' ? new ClientAdapter(options) : new RecordAdapter(kind, options))
}

class RecordAdapter implements Adapter {
  private readonly kind: string
  private readonly options: AdapterOptions

  constructor(kind: string, options: AdapterOptions) {
    this.kind = kind
    this.options = options
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number | undefined): Promise<void> {
    const { kind } = this
    const now = Date.now()
    const { jti: _id, ...members } = payload
    await writeIn(this.options.database, async (tx) => {
      const { tenantId, userId } = await this.originOf(tx, payload)
      // In milliseconds: a sign-in within the same second may be older than the request for it.
      const { prompt } = members
      const withStart =
        prompt === undefined
          ? members
          : { ...members, prompt: { ...prompt, details: { ...prompt.details, startedAt: now } } }
      const json = JSON.stringify(kind === 'Interaction' ? withStart : members)
      const row: OAuthRecordRow = {
        tenant_id: tenantId,
        kind,
        hash: hashSecret(id),
        payload: SEALED.has(kind) ? boxOf(id).seal(SEAL_PURPOSE, json) : json,
        uid: this.uidOf(payload),
        grant_id: kind === 'Grant' ? id : (payload.grantId ?? null),
        client_id: payload.clientId ?? null,
        user_id: userId,
        scopes: payload.scope ?? '',
        audience: typeof payload.aud === 'string' ? payload.aud : null,
        consumed_at: null,
        created_at: now,
        expires_at: expiresIn === undefined ? null : now + expiresIn * 1_000,
      }
      await store.putRecord(tx, row)
      if (kind === 'Grant') await recordEvent(tx, tenantId, consenting(row), grantEvent('create', id))
      if (TOKENS.has(kind)) await this.requireOrigin(tx, row)
    })
  }

  /** Returns the second key of an object; see `OAuthRecordRow`. */
  private uidOf(payload: AdapterPayload): string | null {
    const { replaced, replacement } = this.options.renewal() ?? {}
    if (this.kind === 'Session') return payload.uid ?? null
    if (this.kind === 'ClientCredentials') return this.options.voucher()?.keyId ?? null
    const origin = this.kind === 'RefreshToken' ? replaced : this.kind === 'AccessToken' ? replacement : undefined
    return origin === undefined ? null : hashSecret(origin)
  }

  /**
   * Refuses a token whose client, grant or API key has ended. It locks their rows, so that a transaction which ends one
   * of them waits and then finds the token too.
   * @throws InvalidClient, InvalidGrant
   */
  private async requireOrigin(tx: Queries, row: OAuthRecordRow): Promise<void> {
    const { tenant_id: tenantId, client_id: clientId, grant_id: grantId, expires_at: end, created_at: now } = row
    const isClientThere = clientId !== null && (await clientStore.touchClient(tx, tenantId, clientId, now))
    if (this.kind === 'ClientCredentials' && !isClientThere) throw new errors.InvalidClient('the client was removed')
    if (this.kind === 'ClientCredentials' && row.uid !== null && !(await lockValidKey(tx, tenantId, row.uid, now))) {
      throw new errors.InvalidClient('the API key is no longer valid')
    }
    if (grantId === null || end === null) return
    const grant = await store.extendGrant(tx, tenantId, grantId, end)
    if (grant === null) throw new errors.InvalidGrant('the grant has ended')
    // The server read the grant earlier; the person may have narrowed it since.
    if (!isWithin(row.scopes, grantedOf(grant).scopes)) throw new errors.InvalidGrant('the grant was narrowed')
    const fault = this.kind === 'ClientCredentials' ? null : await replacementFault(tx, this.options.realm, row)
    if (fault !== null) throw new errors.InvalidGrant(fault)
  }

  /** Returns the owner of an object. A client's own token belongs to its registrant, or to the vouching key's user. */
  private async originOf(tx: Queries, payload: AdapterPayload): Promise<{ tenantId: string; userId: string | null }> {
    const { realm } = this.options
    if (OF_THE_BROWSER.has(this.kind)) return { tenantId: realm.tenantId ?? NO_TENANT, userId: null }
    const account = parseAccountId(payload.accountId ?? '')
    if (account !== null) return account
    const client = await clientStore.findClient(tx, realm, payload.clientId ?? '')
    const tenantId = client?.tenant_id ?? realm.tenantId ?? NO_TENANT
    const voucher = this.options.voucher()
    // A key without a user must not stand for the registrant: it would open the registrant's private entries.
    return { tenantId, userId: voucher === null ? (client?.user_id ?? null) : voucher.userId }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await this.read('hash', hashSecret(id))
    if (row === null) return undefined
    const json = SEALED.has(this.kind) ? boxOf(id).open(SEAL_PURPOSE, row.payload) : row.payload
    if (json === null) return undefined
    const { database, refreshGraceMs } = this.options
    const isInGrace = this.kind === 'RefreshToken' && (await answersAgain(queriesOf(database), row, refreshGraceMs))
    return { ...this.payloadOf(isInGrace ? { ...row, consumed_at: null } : row, json), jti: id }
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const row = await this.read('uid', uid)
    return row === null ? undefined : this.payloadOf(row, row.payload)
  }

  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async consume(id: string): Promise<void> {
    const { database, realm, refreshGraceMs } = this.options
    const hash = hashSecret(id)
    const mayUse = await writeIn(database, (tx) =>
      this.kind === 'RefreshToken'
        ? useRefreshToken(tx, realm, hash, refreshGraceMs)
        : store.consumeRecord(tx, realm, this.kind, hash, Date.now()),
    )
    if (mayUse) return
    // A code or token was used twice, perhaps at the same moment: its grant ends, with every code and token of it.
    const stored = await this.find(id)
    if (stored?.grantId !== undefined) await this.revokeByGrantId(stored.grantId)
    throw new errors.InvalidGrant('already consumed')
  }

  async destroy(id: string): Promise<void> {
    if (this.kind === 'Grant') return this.revokeByGrantId(id)
    const { database, realm, revoker } = this.options
    const hash = hashSecret(id)
    await writeIn(database, async (tx) => {
      const row = TOKENS.has(this.kind) ? await store.findRecord(tx, realm, this.kind, 'hash', hash) : null
      // The server would end the grant in a later transaction. If that failed, a retry would find no token to end it by.
      if (row !== null && row.grant_id !== null) return this.endGrant(tx, row.grant_id, revoker())
      const isDeleted = await store.deleteRecord(tx, realm, this.kind, hash)
      if (isDeleted && row !== null) await recordEvent(tx, row.tenant_id, revoker(), tokenRevoked(row))
    })
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await writeIn(this.options.database, (tx) => this.endGrant(tx, grantId, OAUTH_SERVER))
  }

  private async endGrant(tx: Queries, grantId: string, actor: Actor): Promise<void> {
    const tenantId = await store.deleteTokenFamily(tx, this.options.realm, grantId)
    if (tenantId !== null) await recordEvent(tx, tenantId, actor, grantEvent('revoke', grantId))
  }

  /** Reads an object that has not expired: the server itself checks the expiry of tokens only. */
  private async read(by: 'hash' | 'uid', value: string): Promise<OAuthRecordRow | null> {
    const { database, realm } = this.options
    const row = await store.findRecord(queriesOf(database), realm, this.kind, by, value)
    return row === null || (row.expires_at !== null && row.expires_at <= Date.now()) ? null : row
  }

  private payloadOf(row: OAuthRecordRow, json: string): AdapterPayload {
    const { consumed_at: consumedAt, expires_at: expiresAt } = row
    const payload = JSON.parse(json) as AdapterPayload
    // The column has the expiry that counts: a grant's expiry moves on with its tokens, and its payload stays.
    if (expiresAt !== null) payload.exp = Math.floor(expiresAt / 1_000)
    if (consumedAt !== null) payload.consumed = Math.floor(consumedAt / 1_000)
    return payload
  }
}

/** Reads clients for the OAuth server. The rules of this service register and change them. */
class ClientAdapter implements Adapter {
  private readonly options: AdapterOptions

  constructor(options: AdapterOptions) {
    this.options = options
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { database, realm } = this.options
    const row = await clientStore.findClient(queriesOf(database), realm, id)
    return row === null ? undefined : clientOfRow(row)
  }

  upsert = unsupported
  destroy = unsupported
  consume = unsupported
  revokeByGrantId = unsupported
  findByUid = unsupported
  findByUserCode = unsupported
}

async function unsupported(): Promise<undefined> {
  throw new Error('Clients are changed through their rules')
}
