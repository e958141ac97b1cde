import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Context, operatorOf } from '../../src/channels/cli/context.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { countAllJobs } from '../../src/embedding/job-store.ts'
import { QueueThread } from '../../src/embedding/queue-thread.ts'
import { EntryRules } from '../../src/knowledge/entries/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { HANG_MS, until } from '../support/patience.ts'
import { testConfig } from '../support/service.ts'
import { Provider } from './provider.ts'
import { Stage } from './stage.ts'

/** Number of writes. One of them may come before the queue has fallen asleep. */
const WRITES = 9

onAnyDatabase('an embedding queue that gets no message about writes', (kind) => {
  let stage: Stage
  let provider: Provider
  let embedders: EmbedderPool
  let thread: QueueThread
  let write: (title: string) => Promise<string>

  before(async () => {
    provider = await Provider.start()
    stage = await Stage.open(kind)
    await stage.stop(await stage.start(provider.settings('model-a')))
    const { embedding } = testConfig(stage.place, provider.settings('model-a'))
    embedders = new EmbedderPool(embedding)
    const caller = await operatorOf({ database: stage.database } as Context, 'default')
    const rules = new EntryRules({ database: stage.database, embedders, onQueued: () => undefined })
    write = async (title) => (await rules.create(caller, { title, content: title, category_id: stage.category })).id
    // On PostgreSQL each look for jobs is a statement, so only a queue that has had work looks by itself.
    await write('heron')
    const { dataDir, databaseUrl } = stage.place.options
    const targetsModule = new URL('../../src/composition/embedding-targets.ts', import.meta.url).href
    thread = new QueueThread(
      // A queue that sleeps for so long does not wake up by itself in this test.
      { database: { dataDir, databaseUrl }, embedding, targetsModule, startedAt: Date.now(), idleMaxMs: 4 * HANG_MS },
      { warn: (_details: object, message: string) => assert.fail(message) },
    )
  })
  after(async () => {
    await thread.close()
    await embedders.close()
    await stage.close()
    await provider.stop()
  })

  test('makes the vectors of entries of another process, and does not wait until its sleep is over', async () => {
    for (let i = 0; i < WRITES; i++) {
      const id = await write(`egret number ${i}`)
      await until(async () => (await countAllJobs(stage.database.queries)).pending === 0, `entry ${i} has its vectors`)
      const { embedding_model: model } = await stage.database.queries
        .selectFrom('entries')
        .select('embedding_model')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.notEqual(model, null)
    }
  })
})
