import { type Dialect, Kysely } from 'kysely'
import type { Tables } from '../../src/platform/database/tables.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { PORTABLE } from '../../src/platform/database/portable.ts'
import { postgresDialect } from '../../src/platform/database/postgres.ts'
import { sqliteDialect } from '../../src/platform/database/sqlite.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import type { EngineForRequests, SearchRequest } from '../../src/search/engine.ts'
import { MemoryEngine } from '../../src/search/memory/host/engine.ts'
import { analyse } from '../../src/insights/analytics/analytics.ts'
import { learnTenant } from '../../src/insights/learning/learn.ts'
import { learntFor, learntQueries } from '../../src/insights/learning/learnt.ts'
import { createApp } from '../../src/app.ts'
import { SecretBox } from '../../src/platform/secrets.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { CHEAPEST } from '../support/passwords.ts'
import { testConfig, type TestService } from '../support/service.ts'
import type { Credential, Question } from './answers.ts'
import { unlogged } from '../support/unlogged.ts'

/** The work that one request causes. */
interface Work {
  readonly status: number
  /** Statements in order, without their values. */
  readonly statements: readonly string[]
  /** Searches with all of their parameters except tenant and query. */
  readonly searches: number
}

/** The service's app over a test's database. Records the work of each request. */
export class ObservedApp {
  readonly #statements: string[] = []
  #searches = 0
  readonly #queries: Kysely<Tables>
  /** For short writes, which share commits on SQLite as in the service. */
  readonly #short: Kysely<Tables>
  readonly #engine: MemoryEngine
  readonly #embedders: EmbedderPool
  readonly #app: ReturnType<typeof createApp>

  constructor({ place }: TestService) {
    const { dataDir, databaseUrl } = place.options
    const config = testConfig(place)
    const sqlite = databaseUrl === null ? sqliteDialect({ dataDir }) : null
    this.#queries = this.#recorded(sqlite ?? postgresDialect({ url: databaseUrl! }).dialect)
    this.#short = sqlite === null ? this.#queries : this.#recorded(sqlite.short)
    const database: Database = {
      queries: this.#queries,
      portable: PORTABLE[databaseUrl === null ? 'sqlite' : 'postgres'],
      write: (work) => this.#queries.transaction().execute(work),
      writeShort: (work) => this.#short.transaction().execute(work),
      // No caching, so that every look-up is recorded.
      changeNumber: () => null,
      emptyLog: async () => undefined,
      onWrite: () => undefined,
      connections: () => ({ inUse: 0, idle: 0, waiting: 0, writesWaiting: 0, max: 0 }),
      close: () => this.#queries.destroy(),
    }
    this.#embedders = new EmbedderPool(config.embedding)
    this.#engine = new MemoryEngine({
      sourceModule: new URL('../../src/composition/search-sources.ts', import.meta.url).href,
      sourceOptions: place.options,
      bytesMax: 64 * 1024 * 1024,
    })
    this.#app = createApp(config, {
      database,
      engine: this.#countedEngine(),
      embedders: this.#embedders,
      publicUrl: () => 'http://localhost',
      secrets: new SecretBox(() => 'a secret of the test'),
      // The service writes it once a minute, which would count as the work of whatever request is made just then.
      keyUse: { seen: () => {}, flush: async () => {}, close: async () => {} },
      ...unlogged(),
      logThread: {
        analyse: (tenantId, range) => analyse(this.#queries, tenantId, range),
        learn: (tenantId, now) => learnTenant(database, tenantId, { now }),
        learntFor: (about) => learntFor(database, about),
        learntQueries: (of) => learntQueries(this.#queries, of),
      },
      onQueued: () => {},
      missing: async () => [],
      metrics: createMetrics(),
      passwordCost: CHEAPEST,
    })
  }

  /**
   * Sends a request and returns the work that it causes. Callers send one at a time, so that all recorded work is of
   * that request.
   */
  async work(who: Credential, { method, path, body, ndjson = false, headers = {} }: Question): Promise<Work> {
    this.#statements.length = 0
    this.#searches = 0
    const { statusCode } = await this.#app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(who.authorization === null ? {} : { authorization: who.authorization }),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': ndjson ? 'application/x-ndjson' : 'application/json' }),
      },
      payload: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: statusCode, statements: [...this.#statements], searches: this.#searches }
  }

  async close(): Promise<void> {
    await this.#app.close()
    await this.#engine.close()
    await this.#embedders.close()
    await this.#short.destroy()
    await this.#queries.destroy()
  }

  #recorded(dialect: Dialect): Kysely<Tables> {
    return new Kysely<Tables>({
      dialect,
      log: ({ query }) => {
        this.#statements.push(query.sql)
      },
    })
  }

  #countedEngine(): EngineForRequests {
    const engine = this.#engine
    return {
      search: (request: SearchRequest) => {
        this.#searches++
        return engine.search(request)
      },
      requireRoom: (tenantId, index) => engine.requireRoom(tenantId, index),
      status: (tenantId) => engine.status(tenantId),
    }
  }
}
