import type { Caller } from '../access/caller.ts'
import { intersectScopes, parseScopes } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import { type Page, type PageOf, readPage } from '../database/page.ts'
import type { ApiKeyRow, UserRow } from '../database/tables.ts'
import { Fault, forbidden, invalid, notFound, referenceNotFound } from '../faults.ts'
import type { ApiKey, ApiKeyCreate, ApiKeyCreated, User } from './contract.ts'
import { issueApiKey, revokeApiKey } from './rules.ts'
import * as store from './store.ts'

/** What administrators of a tenant do with its keys, and see of its users. */
export class TenantAdministration {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database
    this.#now = now
  }

  /** A page of the tenant's users, by their addresses. */
  async users({ tenant }: Caller, page: PageOf<readonly [email: string]>): Promise<Page<User, readonly [string]>> {
    const { items, next } = await readPage(
      tenant.id,
      page,
      (after, limit) => store.listUsers(this.#database.queries, tenant.id, { after, limit }),
      ({ email }) => [email] as const,
    )
    const users = items.map(({ id, email, name, role, disabled_at: at }) => {
      return { id, email, name, role, disabled: at !== null }
    })
    return { items: users, next }
  }

  /** A page of the tenant's API keys, the oldest first. */
  async keys({ tenant }: Caller, page: PageOf<store.KeyPlace>): Promise<Page<ApiKey, store.KeyPlace>> {
    const { queries } = this.#database
    const { items, next } = await readPage(
      tenant.id,
      page,
      (after, limit) => store.listApiKeys(queries, tenant.id, { after, limit }),
      ({ created_at: createdAt, id }) => [createdAt, id] as const,
    )
    const userIds = new Set(items.flatMap(({ user_id: userId }) => userId ?? []))
    const users = new Map((await store.findUsers(queries, tenant.id, [...userIds])).map((user) => [user.id, user]))
    return { items: items.map((row) => keyOf(row, row.user_id === null ? null : users.get(row.user_id)!)), next }
  }

  /**
   * Issues a key that is worth no more than the caller.
   * @throws Fault naming the faulty field
   */
  async issue(caller: Caller, asked: ApiKeyCreate): Promise<ApiKeyCreated> {
    const { name, scopes, user_id: userId = null, expires_at: expires = null } = asked
    const tenantId = caller.tenant.id
    const user = userId === null ? null : await this.#user(tenantId, userId)
    // It would outlive what somebody granted, or the key that got the token.
    if (caller.credentialKind === 'token') {
      throw forbidden(['header', 'authorization'], 'An access token issues no API keys')
    }
    const exceeding = scopes.findIndex((scope) => !intersectScopes([scope], caller.scopes).has(scope))
    if (exceeding >= 0) throw forbidden(['body', 'scopes', String(exceeding)], 'You do not have this scope yourself')
    const personal = scopes.indexOf('knowledge:personal')
    // Or an administrator could read what is for its owner alone.
    if (personal >= 0 && userId !== null && userId !== caller.userId) {
      throw forbidden(['body', 'scopes', String(personal)], 'Personal notes open to their owner only')
    }
    const expiresAt = expires === null ? null : Date.parse(expires)
    if (expiresAt !== null && expiresAt <= this.#now()) {
      throw invalid(['body', 'expires_at'], 'value_error', 'Input should be in the future')
    }
    const { id, key } = await issueApiKey(this.#database, tenantId, { name, scopes, userId, expiresAt }, caller)
    const row = await store.findApiKey(this.#database.queries, tenantId, id)
    return { ...keyOf(row!, user), key }
  }

  /** @throws Fault not_found when there is no such key in force */
  async revoke(caller: Caller, id: string): Promise<void> {
    try {
      await revokeApiKey(this.#database, caller.tenant.id, id, caller)
    } catch (error) {
      if (error instanceof Fault && error.kind === 'not_found') throw notFound(['path', 'key_id'], 'API key')
      throw error
    }
  }

  async #user(tenantId: string, userId: string): Promise<UserRow> {
    const user = await store.findUser(this.#database.queries, tenantId, userId)
    if (user === null) throw referenceNotFound(['body', 'user_id'], 'User')
    return user
  }
}

function keyOf(row: ApiKeyRow, user: UserRow | null): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: parseScopes(row.scopes),
    user: user === null ? null : { id: user.id, email: user.email, name: user.name },
    created_at: new Date(row.created_at).toISOString(),
    expires_at: timeOf(row.expires_at),
    revoked_at: timeOf(row.revoked_at),
    last_used_at: timeOf(row.last_used_at),
  }
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
