import type { Config } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { MemoryEngine } from '../../src/search/memory/host/engine.ts'
import { SecretBox } from '../../src/platform/secrets.ts'
import type { Parts } from '../../src/app.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { keyUseRecorder } from '../../src/identity/api-keys/key-use.ts'
import { bootstrap } from '../../src/composition/bootstrap.ts'
import { noteNoQueue } from './at-rest.ts'
import type { TestDatabase } from './databases.ts'
import { CHEAPEST } from './passwords.ts'
import { unlogged } from './unlogged.ts'

/** Records that services share when they are assembled from parts over one database. */
export interface ServiceParts {
  readonly database: Database
  /** Key of the first user, an administrator of tenant `default`. */
  readonly adminKey: string
  /** Returns the parts of one service, with its own metrics. */
  parts(publicUrl: string, secret: string): Parts
  close(): Promise<void>
}

/** Opens the parts of a service, without an embedding queue, for tests that assemble it themselves. */
export async function openParts(place: TestDatabase, config: Config): Promise<ServiceParts> {
  const database = openDatabase(place.options)
  noteNoQueue(database)
  await migrate(database)
  const { key } = (await bootstrap(database, config.bootstrap, CHEAPEST))!
  const engine = new MemoryEngine({
    sourceModule: new URL('../../src/composition/search-sources.ts', import.meta.url).href,
    sourceOptions: place.options,
    bytesMax: 64 * 1_024 * 1_024,
  })
  const embedders = new EmbedderPool(config.embedding)
  const keyUse = keyUseRecorder(database, () => undefined)
  return {
    database,
    adminKey: key,
    parts: (publicUrl, secret) => ({
      database,
      engine,
      embedders,
      keyUse,
      ...unlogged(),
      onQueued: () => undefined,
      missing: async () => [],
      metrics: createMetrics(),
      publicUrl: () => publicUrl,
      secrets: new SecretBox(() => secret),
      passwordCost: CHEAPEST,
    }),
    async close() {
      await Promise.all([engine.close(), keyUse.close(), embedders.close()])
      await database.close()
    },
  }
}
