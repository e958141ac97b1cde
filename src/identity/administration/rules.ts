import type { Caller } from '../../platform/access/caller.ts'
import { intersectScopes, parseScopes } from '../../platform/access/scopes.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { ApiKeyRow, UserRow } from '../../platform/database/tables.ts'
import { Fault, forbidden, invalid, notFound, referenceNotFound, unauthorized } from '../../platform/faults.ts'
import type { ApiKey, ApiKeyCreate, ApiKeyCreated } from './contract.ts'
import type { User } from '../users/contract.ts'
import { issueApiKey, type IssuerKind } from '../api-keys/rules.ts'
import { revokeApiKey, revokeWithIssued } from './end-access.ts'
import * as keyStore from '../api-keys/rules.ts'
import * as userStore from '../users/rules.ts'

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
      (after, limit) => userStore.listUsers(this.#database.queries, tenant.id, { after, limit }),
      ({ email }) => [email] as const,
    )
    const users = items.map(({ id, email, name, role, disabled_at: at }) => {
      return { id, email, name, role, disabled: at !== null }
    })
    return { items: users, next }
  }

  /** A page of the tenant's API keys, the oldest first. */
  async keys({ tenant }: Caller, page: PageOf<keyStore.KeyPlace>): Promise<Page<ApiKey, keyStore.KeyPlace>> {
    const { queries } = this.#database
    const { items, next } = await readPage(
      tenant.id,
      page,
      (after, limit) => keyStore.listApiKeys(queries, tenant.id, { after, limit }),
      ({ created_at: createdAt, id }) => [createdAt, id] as const,
    )
    const userIds = new Set(items.flatMap((row) => [row.user_id ?? [], row.issuer_user_id ?? []].flat()))
    const users = new Map((await userStore.findUsers(queries, tenant.id, [...userIds])).map((user) => [user.id, user]))
    return { items: items.map((row) => keyOf(row, users)), next }
  }

  /**
   * Issues a key that is worth no more than the caller, and lasts no longer than the key that issues it.
   * @throws Fault naming the faulty field
   */
  async issue(caller: Caller, asked: ApiKeyCreate): Promise<ApiKeyCreated> {
    const { name, scopes } = asked
    const tenantId = caller.tenant.id
    const kind = caller.credentialKind
    const issuing = kind === 'key' ? await this.#key(caller) : null
    const userId = asked.user_id === undefined ? (issuing?.user_id ?? null) : asked.user_id
    const user = userId === null ? null : await this.#user(tenantId, userId)
    // It would outlive what somebody granted, or the key that got the token.
    if (kind === 'token' || kind === null) {
      throw forbidden(['header', 'authorization'], 'An access token issues no API keys')
    }
    const exceeding = scopes.findIndex((scope) => !intersectScopes([scope], caller.scopes).has(scope))
    if (exceeding >= 0) throw forbidden(['body', 'scopes', String(exceeding)], 'You do not have this scope yourself')
    const personal = scopes.indexOf('knowledge:personal')
    // Or an administrator could read what is for its owner alone.
    if (personal >= 0 && userId !== null && userId !== caller.userId) {
      throw forbidden(['body', 'scopes', String(personal)], 'Personal notes open to their owner only')
    }
    const expiresAt =
      asked.expires_at === undefined
        ? (issuing?.expires_at ?? null)
        : asked.expires_at === null
          ? null
          : Date.parse(asked.expires_at)
    if (expiresAt !== null && expiresAt <= this.#now()) {
      throw invalid(['body', 'expires_at'], 'value_error', 'Input should be in the future')
    }
    if (issuing !== null) requireNoLonger(issuing, { userId, expiresAt })
    const issuer = { userId: caller.userId, credentialId: caller.credentialId, audit: caller.audit, kind }
    const { id, key } = await issueApiKey(this.#database, tenantId, { name, scopes, userId, expiresAt }, issuer)
    const row = await keyStore.findApiKey(this.#database.queries, tenantId, id)
    const people = [user, caller.userId === null ? null : await this.#user(tenantId, caller.userId)]
    return { ...keyOf(row!, new Map(people.flatMap((each) => (each === null ? [] : [[each.id, each]])))), key }
  }

  /** @throws Fault not_found when there is no such key in force */
  async revoke(caller: Caller, id: string): Promise<void> {
    await named(revokeApiKey(this.#database, caller.tenant.id, id, caller))
  }

  /**
   * Revokes a key with all that comes from it.
   * @returns how many keys are revoked by this
   * @throws Fault not_found when there is no such key, in force or not
   */
  async revokeWithIssued(caller: Caller, id: string): Promise<number> {
    return named(revokeWithIssued(this.#database, caller.tenant.id, id, caller))
  }

  async #key({ tenant, credentialId }: Caller): Promise<ApiKeyRow> {
    const key = await keyStore.findApiKey(this.#database.queries, tenant.id, credentialId ?? '')
    if (key === null) throw unauthorized(['header', 'authorization'], 'The API key has ended meanwhile')
    return key
  }

  async #user(tenantId: string, userId: string): Promise<UserRow> {
    const user = await userStore.findUser(this.#database.queries, tenantId, userId)
    if (user === null) throw referenceNotFound(['body', 'user_id'], 'User')
    return user
  }
}

/** Says where the key was named. */
async function named<T>(revocation: Promise<T>): Promise<T> {
  try {
    return await revocation
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not_found') throw notFound(['path', 'key_id'], 'API key')
    throw error
  }
}

/**
 * A key that ends, by a date or with its user, must not leave one behind that does not. A person who is signed in may
 * issue what stays: an administrator is answerable for it by name.
 * @throws Fault forbidden, naming the field
 */
function requireNoLonger(
  issuing: ApiKeyRow,
  { userId, expiresAt }: { userId: string | null; expiresAt: number | null },
): void {
  if (issuing.user_id !== null && userId !== issuing.user_id) {
    const msg = 'An API key of a user issues keys of that user only; sign in to issue others'
    throw forbidden(['body', 'user_id'], msg)
  }
  if (issuing.expires_at !== null && (expiresAt === null || expiresAt > issuing.expires_at)) {
    const msg = 'An API key issues none that lasts longer than itself; sign in to issue others'
    throw forbidden(['body', 'expires_at'], msg)
  }
}

/** @param users those the key may belong to or come from */
function keyOf(row: ApiKeyRow, users: ReadonlyMap<string, UserRow>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: parseScopes(row.scopes),
    user: personOf(row.user_id, users),
    created_at: new Date(row.created_at).toISOString(),
    expires_at: timeOf(row.expires_at),
    revoked_at: timeOf(row.revoked_at),
    last_used_at: timeOf(row.last_used_at),
    issuer: {
      kind: (row.issuer_kind as IssuerKind | null) ?? 'unknown',
      id: row.issuer_id,
      user: personOf(row.issuer_user_id, users),
    },
  }
}

function personOf(id: string | null, users: ReadonlyMap<string, UserRow>): ApiKey['user'] {
  const user = id === null ? undefined : users.get(id)
  return user === undefined ? null : { id: user.id, email: user.email, name: user.name }
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
