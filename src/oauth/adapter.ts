import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Actor } from '../audit/audit.ts'
import type { Database, Queries } from '../database/database.ts'
import type { OAuthRecordRow } from '../database/tables.ts'
import { SecretBox } from '../secrets.ts'
import { hashSecret } from '../tenants/credential.ts'
import { parseAccountId } from './account.ts'
import { clientOfRow } from './client-metadata.ts'
import { NO_TENANT, type Realm } from './realm.ts'
import { recordEvent } from './records.ts'
import * as store from './store.ts'

/** What a person's browser holds before anybody has signed in belongs to no tenant, at a tenant's own host to that. */
const OF_THE_BROWSER = new Set(['Session', 'Interaction'])
/** Their payload names the id of a session, so it can be read only with the id that it is found by. */
const SEALED = new Set(['Interaction'])
const SEAL_PURPOSE = 'oauth record'
const boxOf = (id: string) => new SecretBox(() => id)
/** Tokens come from a grant, which must still be there when they do. */
const USES_CLIENT = new Set(['AccessToken', 'ClientCredentials', 'RefreshToken'])

/** Acts for the OAuth server itself, such as when a stolen token gives itself away. */
const SERVER: Actor = { userId: null, credentialId: null, audit: { source: 'oauth', clientId: null } }

export interface AdapterOptions {
  readonly database: Database
  readonly realm: Realm
  /** How long a refresh token still answers after its rotation. */
  readonly refreshGraceMs: number
}

/**
 * Keeps the objects of one realm's OAuth server in the database. Ids are stored as hashes, since who holds an id
 * holds the token; rows carry the tenant they belong to, and a realm finds its own tenants' only.
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
    const { jti: _id, ...kept } = payload
    await this.options.database.write(async (tx) => {
      const tenantId = await this.tenantOf(tx, payload)
      const json = JSON.stringify(kept)
      const row: OAuthRecordRow = {
        tenant_id: tenantId,
        kind,
        hash: hashSecret(id),
        payload: SEALED.has(kind) ? boxOf(id).seal(SEAL_PURPOSE, json) : json,
        uid: kind === 'Session' ? (payload.uid ?? null) : null,
        grant_id: kind === 'Grant' ? id : (payload.grantId ?? null),
        client_id: payload.clientId ?? null,
        user_id: parseAccountId(payload.accountId ?? '')?.userId ?? null,
        scopes: payload.scope ?? '',
        audience: typeof payload.aud === 'string' ? payload.aud : null,
        consumed_at: null,
        created_at: now,
        expires_at: expiresIn === undefined ? null : now + expiresIn * 1_000,
      }
      await store.putRecord(tx, row)
      if (!USES_CLIENT.has(kind)) return
      if (row.grant_id !== null && row.expires_at !== null) {
        const isThere = await store.extendGrant(tx, tenantId, row.grant_id, row.expires_at)
        if (!isThere) throw new errors.InvalidGrant('the grant has ended')
      }
      if (row.client_id !== null) await store.touchClient(tx, tenantId, row.client_id, now)
    })
  }

  private async tenantOf(tx: Queries, payload: AdapterPayload): Promise<string> {
    const { realm } = this.options
    if (OF_THE_BROWSER.has(this.kind)) return realm.tenantId ?? NO_TENANT
    const account = parseAccountId(payload.accountId ?? '')
    if (account !== null) return account.tenantId
    const client = await store.findClient(tx, realm, payload.clientId ?? '')
    return client?.tenant_id ?? realm.tenantId ?? NO_TENANT
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await this.read('hash', hashSecret(id))
    if (row === null) return undefined
    const json = SEALED.has(this.kind) ? boxOf(id).open(SEAL_PURPOSE, row.payload) : row.payload
    return json === null ? undefined : { ...this.payloadOf(row, json), jti: id }
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const row = await this.read('uid', uid)
    return row === null ? undefined : this.payloadOf(row, row.payload)
  }

  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async consume(id: string): Promise<void> {
    const { database, realm } = this.options
    const isFirst = await database.write((tx) => store.consumeRecord(tx, realm, this.kind, hashSecret(id), Date.now()))
    const isForgiven = this.kind === 'RefreshToken' && this.options.refreshGraceMs > 0
    if (isFirst || isForgiven) return
    // Two requests with one code at the same moment: as with one after the other, nobody keeps what it gave.
    const stored = await this.find(id)
    if (stored?.grantId !== undefined) await this.revokeByGrantId(stored.grantId)
    throw new errors.InvalidGrant('already consumed')
  }

  async destroy(id: string): Promise<void> {
    if (this.kind === 'Grant') return this.revokeByGrantId(id)
    const { database, realm } = this.options
    await database.write((tx) => store.deleteRecord(tx, realm, this.kind, hashSecret(id)))
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    const { database, realm } = this.options
    await database.write(async (tx) => {
      const tenantId = await store.deleteFamily(tx, realm, grantId)
      if (tenantId === null) return
      await recordEvent(tx, tenantId, SERVER, { action: 'revoke', resourceType: 'oauth_grant', resourceId: grantId })
    })
  }

  /** What is over is gone, also before it is swept away: the server looks at the time of tokens only. */
  private async read(by: 'hash' | 'uid', value: string): Promise<OAuthRecordRow | null> {
    const { database, realm } = this.options
    const row = await store.findRecord(database.queries, realm, this.kind, by, value)
    return row === null || (row.expires_at !== null && row.expires_at <= Date.now()) ? null : row
  }

  private payloadOf(row: OAuthRecordRow, json: string): AdapterPayload {
    const { consumed_at: consumedAt, expires_at: expiresAt } = row
    const payload = JSON.parse(json) as AdapterPayload
    // The column counts: a grant's end moves on with its tokens.
    if (expiresAt !== null) payload.exp = Math.floor(expiresAt / 1_000)
    if (consumedAt !== null && !this.isInGrace(consumedAt)) payload.consumed = Math.floor(consumedAt / 1_000)
    return payload
  }

  /** A client whose answer was lost may send the old refresh token once more. */
  private isInGrace(consumedAt: number): boolean {
    return this.kind === 'RefreshToken' && Date.now() - consumedAt < this.options.refreshGraceMs
  }
}

/** Clients are registered and changed by our own rules; the OAuth server reads them. */
class ClientAdapter implements Adapter {
  private readonly options: AdapterOptions

  constructor(options: AdapterOptions) {
    this.options = options
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { database, realm } = this.options
    const row = await store.findClient(database.queries, realm, id)
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
