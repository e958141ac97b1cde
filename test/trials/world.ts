import assert from 'node:assert/strict'
import { once } from 'node:events'
import { sql } from 'kysely'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { SCOPES } from '../../src/platform/access/scopes.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { until } from '../support/patience.ts'
import { connectionsGone } from '../durability/connections-gone.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import type { TestDatabase } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import { Accounts } from './accounts.ts'
import { Client } from './client.ts'
import type { Journal } from './journal.ts'
import { type Books, Writers } from './writers.ts'
import { ACCESSES } from './writes/accesses.ts'
import { clicksIn } from './writes/clicks.ts'
import { DOCUMENTS } from './writes/documents.ts'

const TENANTS = ['north', 'south']
const USERS = 3
const GRANTS = 6

interface Tenant {
  readonly client: Client
  readonly books: Books
}

/** An installation with two tenants, everything that their clients were told of it, and the process that serves it. */
export class World {
  readonly place: TestDatabase
  readonly journal: Journal
  readonly database: Database
  readonly #tenants: readonly Tenant[]
  readonly #settings: Readonly<Record<string, string>>
  service: ServiceProcess

  private constructor(
    place: TestDatabase,
    journal: Journal,
    database: Database,
    service: ServiceProcess,
    tenants: readonly Tenant[],
    settings: Readonly<Record<string, string>>,
  ) {
    this.place = place
    this.journal = journal
    this.database = database
    this.service = service
    this.#tenants = tenants
    this.#settings = settings
  }

  /**
   * Begins an installation.
   * @param settings settings of its service
   */
  static async begin(
    place: TestDatabase,
    journal: Journal,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<World> {
    const service = await ServiceProcess.start(place, settings)
    const database = openDatabase({ ...place.options, onError: () => undefined })
    const tenants: Tenant[] = []
    for (const id of TENANTS) tenants.push(await newTenant(database, service, id, journal))
    const world = new World(place, journal, database, service, tenants, settings)
    await world.#adopt()
    return world
  }

  /** Takes over the content that the tenants have before the first write. */
  async #adopt(): Promise<void> {
    for (const { client, books } of this.#tenants) {
      for (const [kind, accounts] of books) {
        accounts.adopt(await kind.list(client), await this.#audited(client.tenant, kind.audited))
      }
    }
  }

  /** Tells whether the installation's vectors come from a provider. */
  get hasProvider(): boolean {
    return this.#settings.EMBEDDING_PROVIDER !== undefined
  }

  /** Number of writes answered so far. */
  get acknowledged(): number {
    return this.#tenants
      .flatMap(({ books }) => [...books.values()])
      .reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  }

  /**
   * Lets clients of both tenants write until a number of writes are answered, then runs `strike` while they go on.
   * @param hangUp returns the signals by which clients hang up
   */
  async write(
    random: () => number,
    answers: number,
    strike: () => Promise<void>,
    hangUp: Client['hangUp'] = () => undefined,
  ): Promise<void> {
    const enough = Promise.withResolvers<void>()
    let answered = 0
    const onAnswer = (): void => {
      if (++answered >= answers) enough.resolve()
    }
    const writers = this.#tenants.map(({ client, books }) => {
      client.hangUp = hangUp
      return new Writers(client, books, random, onAnswer)
    })
    const failed = Promise.race(writers.map((each) => each.failed()))
    const ended = once(this.service.child, 'exit').then(() => {
      throw new Error(`the service ended by itself:\n${this.service.output}`)
    })
    // It ends later, when it is killed.
    ended.catch(() => undefined)
    await Promise.race([enough.promise, failed, ended])
    await strike()
    for (const writer of writers) await writer.end()
    for (const { client } of this.#tenants) client.hangUp = () => undefined
  }

  /** Starts the service again, after it has ended. */
  async start(): Promise<void> {
    await connectionsGone(this.database)
    this.service = await ServiceProcess.start(this.place, this.#settings)
    for (const { client } of this.#tenants) client.url = this.service.url
  }

  /** Waits until the running service reaches its database again. */
  async answers(): Promise<void> {
    await until(async () => {
      const path = '/api/knowledge/knowledge-entries?limit=1'
      const answer = await this.service.call('GET', path).catch(() => null)
      return answer?.status === 200
    }, 'the service answers again')
  }

  /** Fails unless everything acknowledged is there, nothing is half done, and the audit log says the same. */
  async check(): Promise<void> {
    for (const { client, books } of this.#tenants) {
      client.isPatient = true
      for (const [kind, accounts] of books) {
        accounts.settle(await kind.list(client), kind.isKept)
        if (kind.audited === null) continue
        const audited = await this.#audited(client.tenant, kind.audited)
        accounts.compare(audited)
      }
      await this.#checkSearch(client, books)
      client.isPatient = false
    }
    await assertConsistent(this.database)
  }

  async end(): Promise<void> {
    await this.service.kill()
    await this.database.close()
    await this.place.remove()
    this.journal.close()
  }

  /** Checks that keyword search finds exactly the entries that are there. */
  async #checkSearch(client: Client, books: Books): Promise<void> {
    const entries = [...books].find(([kind]) => kind.name === 'entry')![1]
    const ids: string[] = []
    for (let isMore = true; isMore;) {
      const body = { query: client.tenant, mode: 'keyword', limit: 100, offset: ids.length }
      const answer = await client.call('POST', '/api/knowledge/knowledge-entries/search', [200], { body })
      const page = (answer.body as { entry: { id: string } }[]).map(({ entry }) => entry.id)
      ids.push(...page)
      isMore = page.length === 100
    }
    assert.deepEqual(ids.sort(), [...entries.present].sort(), `what search finds of ${client.tenant}`)
  }

  /** Returns the number of audit records by id. */
  async #audited(tenant: string, type: string | null): Promise<Map<string, number>> {
    const { rows } = await sql<{ id: string; records: number }>`
      select resource_id as id, count(*) as records from audit_log
      where tenant_id = ${tenant} and resource_type = ${type} group by resource_id`.execute(this.database.queries)
    return new Map(rows.map(({ id, records }) => [id, records]))
  }
}

async function newTenant(database: Database, service: ServiceProcess, id: string, journal: Journal): Promise<Tenant> {
  await createTenant(database, { id, name: `${id}-settings 0`, host: null })
  const { key } = await issueApiKey(database, id, { name: 'trial', scopes: SCOPES, userId: null, expiresAt: null })
  for (let i = 0; i < USERS; i++) {
    const user = { email: `${id}-user-${i}@example.com`, name: `${id}-user-${i} 0`, role: 'reader' } as const
    const { id: userId } = await createUser(database, id, user)
    for (let grant = 0; grant < GRANTS / USERS; grant++) {
      await storeOAuthRecords(database, { tenantId: id, userId, origin: service.url })
    }
  }
  const setup = new Client(id, key, '')
  setup.url = service.url
  const { body } = await setup.call('POST', '/api/knowledge/categories', [201], { body: { name: 'Trial' } })
  const client = new Client(id, key, body.id)
  client.url = service.url
  const kinds = [...DOCUMENTS, ...ACCESSES, clicksIn(database)]
  return { client, books: new Map(kinds.map((kind) => [kind, new Accounts(`${id}-${kind.name}`, journal)])) }
}
