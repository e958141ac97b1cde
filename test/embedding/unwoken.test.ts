import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { type Context, operatorOf } from '../../src/channels/cli/context.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { countAllJobs } from '../../src/embedding/job-store.ts'
import { EntryRules } from '../../src/knowledge/entries/rules.ts'
import type { Service } from '../../src/server.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { medianOf } from '../support/median.ts'
import { testConfig } from '../support/service.ts'
import { Provider } from './provider.ts'
import { type Hit, search, Stage } from './stage.ts'

const WRITES = 9
/**
 * The queue sleeps for a second, and most writes come when it has just fallen asleep. Without looks in between they would
 * wait for nearly the whole second. What the work itself takes on a busy machine, writes that wake the queue tell.
 */
const LONGER_MAX_MS = 500

onAnyDatabase('an embedding queue that nobody wakes', (kind) => {
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
    const within = (title: string) => stage.create(service, title, title)
    const outside = async (title: string) =>
      (await rules.create(caller, { title, content: title, category_id: stage.category })).id
    const woken: number[] = []
    const unwoken: number[] = []
    for (let i = 0; i < WRITES; i++) {
      woken.push(await timeOf(within, `heron number ${i}`))
      unwoken.push(await timeOf(outside, `egret number ${i}`))
    }
    const longer = medianOf(unwoken) - medianOf(woken)
    const told = `${unwoken.map(Math.round).join(', ')} ms, and woken ${woken.map(Math.round).join(', ')}`
    assert.ok(longer < LONGER_MAX_MS, `made after ${told}`)
  })

  /** Writes an entry. @returns milliseconds until its vectors are there and searches find it */
  async function timeOf(write: (title: string) => Promise<string>, title: string): Promise<number> {
    const id = await write(title)
    const writtenAt = performance.now()
    // Searching all the while would keep the queue waiting.
    while ((await countAllJobs(stage.database.queries)).pending > 0) await sleep(5)
    const ms = performance.now() - writtenAt
    assert.ok(await isFound(id, title))
    return ms
  }

  async function isFound(id: string, query: string): Promise<boolean> {
    const { status, body } = await search(service, query, 'semantic')
    return status === 200 && (body as Hit[]).some(({ entry }) => entry.id === id)
  }
})
