import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { type Context, operatorOf } from '../../src/channels/cli/context.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { EntryRules } from '../../src/knowledge/entries/rules.ts'
import type { Service } from '../../src/server.ts'
import { onEachDatabase } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'
import { Provider } from './provider.ts'
import { type Hit, search, Stage } from './stage.ts'

const WRITES = 9
/**
 * The queue sleeps for a second. Each write but the first comes when it has just fallen asleep, so without looks in
 * between, every one of them would wait longer than this. With looks, a machine that is busy nine times in a row is
 * needed to exceed it.
 */
const QUICKEST_MAX_MS = 500

onEachDatabase('an embedding queue that nobody wakes', (kind) => {
  let stage: Stage
  let provider: Provider
  let service: Service
  let embedders: EmbedderPool

  before(async () => {
    provider = await Provider.start()
    stage = await Stage.open(kind)
    service = await stage.start(provider.settings('model-a'))
    embedders = new EmbedderPool(testConfig(stage.place, provider.settings('model-a')).embedding)
  })
  after(async () => {
    await embedders.close()
    await stage.close()
    await provider.stop()
  })

  test('makes the vectors of what another process wrote at once, not when its sleep is over', async () => {
    const caller = await operatorOf({ database: stage.database } as Context, 'default')
    const rules = new EntryRules({ database: stage.database, embedders, onQueued: () => undefined })
    const waited: number[] = []
    for (let i = 0; i < WRITES; i++) {
      const title = `heron number ${i}`
      const { id } = await rules.create(caller, { title, content: title, category_id: stage.category })
      const writtenAt = performance.now()
      while (!(await isFound(id, title))) await sleep(5)
      waited.push(performance.now() - writtenAt)
    }
    assert.ok(Math.min(...waited.slice(1)) < QUICKEST_MAX_MS, `found after ${waited.map(Math.round).join(', ')} ms`)
  })

  async function isFound(id: string, query: string): Promise<boolean> {
    const { status, body } = await search(service, query, 'semantic')
    return status === 200 && (body as Hit[]).some(({ entry }) => entry.id === id)
  }
})
