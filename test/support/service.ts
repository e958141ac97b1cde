import { type Config, readConfig } from '../../src/config.ts'
import { FRESH_WAIT_MS, INDEX_WAIT_SECONDS, TEST_MODEL } from './program.ts'
import { openDatabase, type Database } from '../../src/platform/database/database.ts'
import { ROLE_SCOPES, type Role } from '../../src/platform/access/scopes.ts'
import { type Service, startService } from '../../src/server.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import type { DatabaseKind, TestDatabase } from './databases.ts'
import { DeclaredAnswers } from './declared-answers.ts'
import { CHEAPEST } from './passwords.ts'
import { send } from './send.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON, or the text where it is not JSON; null when empty. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly body: any
}

export interface Call {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Passwords that cost little, and metrics as they are now. */
const FOR_TESTS = { passwordCost: CHEAPEST, metricsEveryMs: 0 }

let declaredByAll: DeclaredAnswers | null = null

/** A running service with its own database, or one tenant of a service that several suites use. */
export class TestService {
  #service: Service
  readonly place: TestDatabase
  readonly database: Database
  /** The tenant of users and keys for which a test names no other tenant. */
  readonly tenantId: string
  /** Key of that tenant's first user, an administrator. */
  readonly adminKey: string

  #declared: DeclaredAnswers | null = null
  readonly #now: (() => number) | undefined
  readonly #settings: Readonly<Record<string, string>>
  readonly #isShared: boolean

  private constructor(
    service: Service,
    place: TestDatabase,
    database: Database,
    adminKey: string,
    settings: Readonly<Record<string, string>>,
    now: (() => number) | undefined,
    sharedAs: string | null = null,
  ) {
    this.#now = now
    this.#isShared = sharedAs !== null
    this.tenantId = sharedAs ?? 'default'
    this.#settings = settings
    this.#service = service
    this.place = place
    this.database = database
    this.adminKey = adminKey
  }

  /**
   * Starts a service.
   * @param fetchDocument replaces the internet for client documents
   * @param now the search log's clock
   */
  static async start(
    kind: DatabaseKind,
    settings: Readonly<Record<string, string>> = {},
    fetchDocument?: typeof globalThis.fetch,
    now?: () => number,
  ): Promise<TestService> {
    const place = await kind.createMigrated()
    const service = await startService(testConfig(place, settings), undefined, {
      fetchDocument,
      now,
      ...FOR_TESTS,
    })
    return new TestService(service, place, openDatabase(place.options), service.created!.key, settings, now)
  }

  /**
   * Returns a view of the same service for a suite that owns only a new tenant. Users, keys and further tenants are of
   * that tenant, and `stop` leaves the service running.
   */
  async sharedAs(tenantId: string): Promise<TestService> {
    await createTenant(this.database, { id: tenantId, name: tenantId, host: null })
    const { key } = await this.user({ tenant: tenantId, email: 'admin@localhost' })
    return new TestService(this.#service, this.place, this.database, key, this.#settings, this.#now, tenantId)
  }

  get service(): Service {
    return this.#service
  }

  /** Stops the service, and starts it again at the same address once `meanwhile` is over. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    if (this.#isShared) throw new Error('Other suites use this service too: start one to restart it')
    const { port } = new URL(this.service.url)
    await this.service.stop()
    try {
      await meanwhile()
    } finally {
      const config = testConfig(this.place, { ...this.#settings, PORT: port })
      this.#service = await startService(config, undefined, { now: this.#now, ...FOR_TESTS })
    }
  }

  /** Starts another service over the same database, like another process. */
  async sibling(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
    return startService(testConfig(this.place, settings), undefined, { now: this.#now, ...FOR_TESTS })
  }

  /**
   * Sends a request; `key: null` sends no credential.
   * @param path under the service's address
   */
  async call(
    method: string,
    path: string,
    { key = this.adminKey, body, headers = {} }: Call = {},
    base = this.service.url,
  ): Promise<Answer> {
    const {
      status,
      headers: received,
      text,
    } = await send(base + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const answer = { status, headers: received, body: parse(text) }
    const operation = this.#declared?.operationAt(method, path)
    if (operation !== undefined) this.#declared!.judge(operation, answer, `${method} ${path}`)
    return answer
  }

  /** Requires from now on that the OpenAPI document declares each answer to `call`. */
  async judgeAnswers(): Promise<void> {
    // All services of a process declare the same, and compiling what they declare takes as long as starting one.
    declaredByAll ??= new DeclaredAnswers((await this.call('GET', '/openapi.json')).body)
    this.#declared = declaredByAll
  }

  /** Makes a further tenant. @returns its id, which is `name` unless other suites use the service too */
  async tenant(name: string): Promise<string> {
    const id = this.#isShared ? `${this.tenantId}-${name}` : name
    await createTenant(this.database, { id, name, host: null })
    return id
  }

  /** Makes a user with a key. The key has the role's scopes by default. */
  async user(options: {
    tenant?: string
    email: string
    role?: Role
    scopes?: readonly string[]
  }): Promise<{ userId: string; key: string }> {
    const { tenant = this.tenantId, email, role = 'admin', scopes = ROLE_SCOPES[role] } = options
    const { id: userId } = await createUser(this.database, tenant, { email, name: email, role })
    const { key } = await issueApiKey(this.database, tenant, { name: email, scopes, userId, expiresAt: null })
    return { userId, key }
  }

  /** Makes a key without a user. */
  async key(scopes: readonly string[], tenant = this.tenantId): Promise<string> {
    return (await issueApiKey(this.database, tenant, { name: 'test', scopes, userId: null, expiresAt: null })).key
  }

  async category(name = 'General', key = this.adminKey): Promise<string> {
    const { body } = await this.call('POST', '/api/knowledge/categories', { key, body: { name } })
    return body.id
  }

  async stop(): Promise<void> {
    if (this.#isShared) return
    await this.service.stop()
    await this.database.close()
    await this.place.remove()
  }
}

export function testConfig(place: TestDatabase, settings: Readonly<Record<string, string>> = {}): Config {
  return readConfig({
    PORT: '0',
    SEARCH_WAIT_SECONDS: INDEX_WAIT_SECONDS,
    SEARCH_FRESH_WAIT_MS: FRESH_WAIT_MS,
    EMBEDDING_MODEL: TEST_MODEL,
    DATA_DIR: place.options.dataDir,
    ...(place.options.databaseUrl === null ? {} : { DATABASE_URL: place.options.databaseUrl }),
    ...settings,
  })
}

function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
