import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { MemoryEngine } from '../../src/search/memory/engine.ts'
import { createApp } from '../../src/server.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { SecretBox } from '../../src/secrets.ts'
import { keyUseRecorder } from '../../src/tenants/key-use.ts'
import { bootstrap } from '../../src/tenants/rules.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { testConfig, type TestService } from '../support/service.ts'
import { unlogged } from '../support/unlogged.ts'

interface PartedService {
  /** The very connections that the service uses. */
  readonly database: Database
  readonly call: TestService['call']
  stop(): Promise<void>
}

/** A service put together by hand, for faults that must strike its own connections. It has no embedding queue. */
export async function partedService(kind: DatabaseKind): Promise<PartedService> {
  const place = await kind.create()
  const config = testConfig(place)
  const database = openDatabase(place.options)
  await migrate(database)
  const { key } = (await bootstrap(database, config.bootstrap))!
  const engine = new MemoryEngine({
    sourceModule: new URL('../../src/search-sources.ts', import.meta.url).href,
    sourceOptions: place.options,
    bytesMax: 64 * 1_024 * 1_024,
  })
  const embedders = new EmbedderPool(config.embedding)
  const keyUse = keyUseRecorder(database, () => undefined)
  const missing = async () => []
  const rest = {
    onQueued: () => undefined,
    missing,
    metrics: createMetrics(),
    publicUrl: () => 'http://localhost',
    secrets: new SecretBox(() => 'test'),
  }
  const parts = { database, engine, embedders, keyUse, ...unlogged(), ...rest }
  const app = createApp(config, parts)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    database,
    async call(method, path, { body, headers } = {}) {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const init: RequestInit = { method, headers: { authorization: `Bearer ${key}`, ...type, ...headers } }
      if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
      const response = await fetch(url + path, init)
      return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
    },
    async stop() {
      await app.close()
      await Promise.all([engine.close(), keyUse.close(), embedders.close()])
      await database.close()
      await place.remove()
    },
  }
}

/** JSON, or the text where it is several lines of it; null when empty. */
function parsed(text: string): unknown {
  return text === '' ? null : text.includes('\n') ? text : JSON.parse(text)
}
