import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { targetsOf } from '../../src/composition/embedding-targets.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { EmbeddingQueue } from '../../src/embedding/queue.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { advanceWatermark } from '../../src/platform/database/watermark.ts'
import { knowledge } from '../cli/program.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'
import { Provider, vectorOf } from './provider.ts'
import { call, type Hit, reached, search, Stage } from './stage.ts'

const MODEL = 'openai:model-a:default'
const LENGTH = 32

/** Returns the answer of a provider whose vectors have one number less. */
const shorter = (vectors: readonly number[][]): object => ({
  data: vectors.map((vector, index) => ({ index, embedding: vector.slice(1) })),
})

onAnyDatabase('the length of vectors', (kind) => {
  let stage: Stage
  let provider: Provider

  beforeEach(async () => {
    provider = await Provider.start()
    stage = await Stage.open(kind)
  })
  afterEach(async () => {
    await stage.close()
    await provider.stop()
  })

  const settings = () => provider.settings('model-a')
  const isDone = ({ items, embedded, pending }: { items: number; embedded: number; pending: number }): boolean =>
    embedded === items && pending === 0

  test('stays that of the stored ones when a provider answers another after a restart, and once it is back all is found by meaning', async () => {
    let service = await stage.start(settings())
    const heron = await stage.create(service, 'Heron', 'stands in the water')
    await reached(service, isDone)
    await stage.stop(service)
    provider.lie = shorter
    service = await stage.start(settings())
    const stork = await stage.create(service, 'Stork', 'stands on the roof')
    const failing = await reached(service, ({ failing }) => failing === 1)
    assert.match(
      failing.last_error!,
      /^the embedding provider answered vectors of 31 numbers, those stored for openai:model-a:default have 32: set .* knowledge reindex/,
    )
    assert.deepEqual(await lengthsOf(stage.database), [LENGTH])
    const answer = await search(service, 'stands', 'keyword')
    assert.deepEqual([answer.status, idsOf(answer.body)], [200, [heron, stork].sort()])
    const both = await search(service, 'stands', 'hybrid')
    assert.deepEqual([both.status, both.headers.get('x-search-degraded')], [200, 'embedding'])
    assert.equal((await search(service, 'stands', 'semantic')).status, 503)
    provider.lie = null
    await reached(service, isDone)
    assert.equal((await search(service, 'stork roof', 'semantic')).body[0].entry.id, stork)
    assert.deepEqual(await lengthsOf(stage.database), [LENGTH])
    await assertConsistent(stage.database)
  })

  test('holds for products, too, when entries chose it', async () => {
    let service = await stage.start(settings())
    await stage.create(service, 'Heron', 'stands in the water')
    await reached(service, isDone)
    await stage.stop(service)
    provider.lie = shorter
    service = await stage.start(settings())
    const { body: sites } = await call(service, 'GET', '/api/knowledge/sites')
    const product = JSON.stringify({ external_id: 'lamp', title: 'Lamp', language: 'en' })
    const pushed = await call(service, 'POST', `/api/knowledge/products/bulk?site_id=${sites[0].id}`, product)
    assert.match(pushed.body, /"created"/)
    await reached(service, ({ failing }) => failing === 1)
    assert.deepEqual(await lengthsOf(stage.database), [LENGTH])
  })

  test('is chosen once when two processes store the first vectors at the same time', async () => {
    const liar = await Provider.start()
    liar.lie = shorter
    provider.isDown = true
    const service = await stage.start(settings())
    await stage.import(service, 96)
    await reached(service, ({ failing, pending }) => pending === 96 && failing > 0)
    await stage.stop(service)
    provider.isDown = false
    provider.delayMs = liar.delayMs = 100
    await stage.database.queries.updateTable('embedding_jobs').set({ run_after: 0 }).execute()
    const warnings: string[] = []
    const log = { warn: ({ err }: { err?: Error }) => void warnings.push(err!.message) }
    const processes = [provider, liar].map((each) => {
      const { embedding } = testConfig(stage.place, each.settings('model-a'))
      const database = openDatabase(stage.place.options)
      const embedders = new EmbedderPool(embedding)
      const queue = new EmbeddingQueue({ database, embedders, targets: targetsOf(), log })
      return { database, embedders, queue }
    })
    const [one, other] = await Promise.all(processes.map(({ queue }) => queue.drain([MODEL])))
    for (const { embedders } of processes) await embedders.close()
    for (const { database } of processes) await database.close()
    assert.ok(one === 0 || other === 0, `${one} and ${other} stored`)
    assert.ok(one + other >= 32)
    assert.deepEqual(await lengthsOf(stage.database), [one > 0 ? LENGTH : LENGTH - 1])
    assert.ok(
      warnings.length > 0 && warnings.every((message) => message.startsWith('the embedding provider answered vectors')),
    )
    await liar.stop()
  })

  test('of a model that has changed becomes the new one with knowledge reindex, while a service runs', async () => {
    let service = await stage.start(settings())
    await stage.import(service, 40)
    const heron = await stage.create(service, 'Heron', 'stands in the water')
    await reached(service, isDone)
    assert.equal((await search(service, 'heron', 'semantic')).body[0].entry.id, heron)
    provider.lie = shorter
    const ill = await knowledge(stage.place, ['doctor'], { env: { ...settings(), PORT: '0' } })
    assert.match(
      ill.stdout,
      /^fail +embedding +tenant default: .* vectors of 31 numbers, those stored have 32,.*reindex/m,
    )
    const done = await knowledge(stage.place, ['reindex'], { env: settings() })
    assert.deepEqual([done.code, /have 31 numbers now, those stored 32/.test(done.stderr)], [0, true], done.stderr)
    assert.deepEqual(await lengthsOf(stage.database), [LENGTH - 1])
    for (const mode of ['semantic', 'hybrid', 'keyword']) {
      const answer = await search(service, 'heron', mode)
      assert.deepEqual([answer.status, answer.headers.get('x-search-degraded')], [200, null], mode)
      assert.equal(answer.body[0].entry.id, heron, mode)
    }
    const well = await knowledge(stage.place, ['doctor'], { env: { ...settings(), PORT: '0' } })
    assert.doesNotMatch(well.stdout, /numbers/)
    await stage.stop(service)
    service = await stage.start(settings())
    assert.equal((await search(service, 'heron', 'semantic')).body[0].entry.id, heron)
    await assertConsistent(stage.database)
  })

  test('that one stored entry does not have leaves all of them to be found by words, whichever comes first', async () => {
    let service = await stage.start(settings())
    const heron = await stage.create(service, 'Heron', 'stands in the water')
    const stork = await stage.create(service, 'Stork', 'stands on the roof')
    await reached(service, isDone)
    await store(stage.database, stork, LENGTH - 1)
    const later = await search(service, 'stands', 'keyword')
    assert.deepEqual([later.status, idsOf(later.body)], [200, [heron, stork].sort()])
    await stage.stop(service)
    await store(stage.database, heron, LENGTH)
    service = await stage.start(settings())
    const first = await search(service, 'stands', 'keyword')
    assert.deepEqual([first.status, idsOf(first.body)], [200, [heron, stork].sort()])
  })
})

const idsOf = (hits: readonly Hit[]): string[] => hits.map(({ entry }) => entry.id).sort()

/** Returns the lengths of all stored vectors, each once. */
async function lengthsOf({ queries }: Database): Promise<number[]> {
  const entries = await queries.selectFrom('entry_vectors').select(['offsets', 'vectors']).execute()
  const products = await queries.selectFrom('product_vectors').select('vectors').execute()
  const lengths = [
    ...entries.map(({ offsets, vectors }) => vectors.byteLength / 4 / (offsets.byteLength / 8)),
    ...products.map(({ vectors }) => vectors.byteLength / 4),
  ]
  return [...new Set(lengths)]
}

/** Stores an entry's vectors with so many numbers, past all checks. */
async function store(database: Database, id: string, length: number): Promise<void> {
  const [entries] = targetsOf()
  await database.write(async (tx) => {
    const { seq } = await advanceWatermark(tx, 'default')
    const [item] = await entries.load(tx, 'default', [id], { id: MODEL })
    const vectors = item.texts.map((text) => vectorOf('model-a', text).slice(LENGTH - length))
    assert.equal(await entries.save(tx, 'default', MODEL, item, { vectors, hashes: null, isSearched: true }, seq), true)
  })
}
