import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { type Context, operatorOf } from '../../src/channels/cli/context.ts'
import { targetsOf } from '../../src/composition/embedding-targets.ts'
import { BOTH_ID, STATIC_ID } from '../../src/embedding/builtin/ids.ts'
import type { TextReader } from '../../src/embedding/contextual/reader.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { EmbeddingUnavailable } from '../../src/embedding/embedder.ts'
import { countJobs } from '../../src/embedding/job-store.ts'
import { activateModel, enqueueMissing } from '../../src/embedding/model-change.ts'
import { EmbeddingQueue } from '../../src/embedding/queue.ts'
import { decodePassages } from '../../src/embedding/vector-codec.ts'
import { EntryRules } from '../../src/knowledge/entries/rules.ts'
import type { Caller } from '../../src/platform/access/caller.ts'
import { ProductRules } from '../../src/shop/products/rules.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { onEachDatabase } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'
import { Stage } from './stage.ts'

/** Components of the contextual part of a vector. */
const CONTEXTUAL = 384

/** A reader that notes what it reads. It gives every text the same vector, and stops after a number of texts. */
class NotingReader implements TextReader {
  readonly absence = null
  readonly trouble = null
  readonly texts: string[] = []
  /** Number of texts of each call. */
  readonly calls: number[] = []
  left = Number.POSITIVE_INFINITY

  async read(texts: readonly string[]): Promise<{ vectors: Float32Array[]; tokens: number }> {
    if ((this.left -= texts.length) < 0) throw new EmbeddingUnavailable('the process ends here')
    this.texts.push(...texts)
    this.calls.push(texts.length)
    const vectors = texts.map(() => new Float32Array(CONTEXTUAL).fill(1 / Math.sqrt(CONTEXTUAL)))
    return { vectors, tokens: texts.length }
  }

  async close(): Promise<void> {}

  /** Returns the texts read since the last call, the latest last. */
  taken(): string[] {
    return this.texts.splice(0)
  }
}

onEachDatabase('a model that takes long to read', (kind) => {
  let stage: Stage
  let embedders: EmbedderPool
  let rules: EntryRules
  let caller: Caller
  const reader = new NotingReader()

  before(async () => {
    stage = await Stage.open(kind)
    await stage.stop(await stage.start())
    const { embedding } = testConfig(stage.place, { EMBEDDING_MODEL: 'both' })
    embedders = new EmbedderPool(embedding, undefined, undefined, undefined, reader)
    rules = new EntryRules({ database: stage.database, embedders, onQueued: () => undefined })
    await stage.database.queries.updateTable('tenants').set({ embedding_model: BOTH_ID }).execute()
    caller = await operatorOf({ database: stage.database } as Context, 'default')
  })
  afterEach(() => assertConsistent(stage.database))
  after(async () => {
    await embedders.close()
    await stage.close()
  })

  const always = () => true
  const write = async (title: string, content: string): Promise<string> =>
    (await rules.create(caller, { title, content, category_id: stage.category })).id
  /** Works like a process that begins: with a queue of its own. It ends after a number of texts. */
  const work = async (texts = Number.POSITIVE_INFINITY): Promise<void> => {
    reader.left = texts
    const queue = new EmbeddingQueue({ database: stage.database, embedders, targets: targetsOf(), log: { warn() {} } })
    await queue.drain([BOTH_ID, STATIC_ID])
  }
  /** Lets jobs that failed be tried again at once. */
  const forgiveFailures = () => stage.database.queries.updateTable('embedding_jobs').set({ run_after: 0 }).execute()
  const waiting = async (): Promise<number> => (await countJobs(stage.database.queries, 'default', BOTH_ID)).pending
  /** Tells for each passage of an entry whether its vector has the contextual part. */
  const areRead = async (id: string): Promise<boolean[]> => {
    const row = await stage.database.queries
      .selectFrom('entry_vectors')
      .select(['offsets', 'vectors'])
      .where('entry_id', '=', id)
      .where('model', '=', BOTH_ID)
      .executeTakeFirstOrThrow()
    return decodePassages(row).map(({ vector }) => vector.subarray(0, CONTEXTUAL).some((component) => component !== 0))
  }
  /** Returns the model by which searches find an entry; null while they find it by words alone. */
  const searchedBy = async (id: string): Promise<string | null> => {
    const entries = stage.database.queries.selectFrom('entries').select('embedding_model').where('id', '=', id)
    return (await entries.executeTakeFirstOrThrow()).embedding_model
  }
  const paragraph = (n: number): string => `Paragraph ${n} tells of matter number ${n}, at some length. `.repeat(8)
  const page = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, i) => paragraph(from + i)).join('\n\n')

  test('stores what stands in for the vectors within the write, and reads each text of an entry once', async () => {
    const id = await write('Leave', page(0, 3))
    const before = await areRead(id)
    assert.deepEqual([new Set(before), await waiting()], [new Set([false]), 1])
    await work()
    assert.deepEqual([new Set(await areRead(id)), await waiting()], [new Set([true]), 0])
    const texts = reader.taken()
    assert.equal(texts.length, before.length)
    assert.equal(texts.filter((text) => text === 'Leave').length, 1)
  })

  test('reads only the passages of an entry that have changed', async () => {
    const id = await write('Manual', page(10, 14))
    await work()
    const all = reader.taken()
    await rules.update(caller, id, { content: `${page(10, 14)}\n\n${paragraph(99)}` }, always)
    await work()
    const changed = reader.taken()
    assert.ok(changed.length >= 1 && changed.length < all.length / 2, `${changed.length} of ${all.length} texts`)
    assert.ok(changed.every((text) => !all.includes(text)))
    // The same text under another visibility, and a text that was there before, need no reading.
    await rules.update(caller, id, { visibility: 'restricted' }, always)
    await rules.update(caller, id, { content: page(10, 14) }, always)
    await work()
    const again = reader.taken()
    assert.ok(again.length < all.length / 2, `${again.length} of ${all.length} texts`)
    assert.deepEqual([new Set(await areRead(id)), await waiting()], [new Set([true]), 0])
  })

  test('goes on where it was when the process ends in the middle of a long entry', async () => {
    const id = await write('Long', page(200, 290))
    await work(50)
    const first = reader.taken()
    const between = await areRead(id)
    const passages = between.length
    assert.ok(passages > 60, `${passages} passages`)
    assert.deepEqual([between.filter(Boolean).length, await waiting()], [first.length, 1])
    assert.equal(await searchedBy(id), BOTH_ID, 'searches use what is there of a long entry')
    await forgiveFailures()
    await work()
    const rest = reader.taken()
    assert.equal(first.length + rest.length, passages)
    assert.equal(new Set([...first, ...rest]).size, passages)
    assert.deepEqual([new Set(await areRead(id)), await waiting()], [new Set([true]), 0])
  })

  test('goes on where it was when the tenant gives the model up and takes it again', async () => {
    const { database } = stage
    const targets = targetsOf()
    const choose = async (model: string) => {
      await database.queries.updateTable('tenants').set({ embedding_choice: model }).execute()
      return { tenantId: 'default', model, installed: embedders.installed }
    }
    const id = await write('Given up', page(300, 330))
    await work(24)
    const first = reader.taken()
    assert.deepEqual([first.length, await waiting()], [24, 1])

    const away = await choose(STATIC_ID)
    await enqueueMissing(database, targets, away)
    await work(0)
    assert.equal(await activateModel(database, targets, away), true)
    assert.equal(await waiting(), 0)

    const back = await choose(BOTH_ID)
    const [entries] = await Promise.all(targets.map((each) => each.textsToRead(database.queries, 'default', BOTH_ID)))
    assert.equal(entries.items, 1)
    assert.equal(await activateModel(database, targets, back), false, 'texts of the entry were not read')
    assert.equal(await waiting(), 1)
    await work()
    const passages = await areRead(id)
    assert.deepEqual([new Set(passages), first.length + reader.taken().length], [new Set([true]), passages.length])
    assert.equal(await activateModel(database, targets, back), true)
  })

  test('stores what stands in for a long entry, too, when it cannot be read', async () => {
    const id = await write('Very long', page(400, 450))
    await work(0)
    const passages = await areRead(id)
    assert.deepEqual([new Set(passages), await waiting()], [new Set([false]), 1])
    assert.equal(await searchedBy(id), BOTH_ID)
    await forgiveFailures()
    await work()
    assert.deepEqual([new Set(await areRead(id)), await waiting()], [new Set([true]), 0])
    assert.equal(new Set(reader.taken()).size, passages.length)
  })

  test('stores stand-ins of a long entry before it reads what was written earlier', async () => {
    for (let i = 0; i < 6; i++) await write(`Short ${i}`, paragraph(300 + i))
    const id = await write('Late and long', page(400, 490))
    await work(0)
    assert.deepEqual([new Set(await areRead(id)), reader.taken()], [new Set([false]), []])
    await forgiveFailures()
    await work()
    assert.deepEqual([new Set(await areRead(id)), await waiting()], [new Set([true]), 0])
  })

  test('reads few long texts of products in a turn, so that other tenants wait no longer for theirs', async () => {
    const { id: site } = await stage.database.queries.selectFrom('sites').select('id').executeTakeFirstOrThrow()
    const products = new ProductRules({ database: stage.database, embedders, onQueued: () => undefined })
    for (const external_id of ['a', 'b']) {
      const long = (kind: string): string => `${kind} of ${external_id}. `.repeat(600).slice(0, 8_000)
      const texts = {
        embedding_text_description: long('Description'),
        embedding_text_properties: long('Properties'),
        embedding_text_attributes: long('Attributes'),
      }
      await products.upsert(caller, site, { external_id, title: external_id, language: 'en', ...texts })
    }
    reader.taken()
    reader.calls.length = 0
    await work()
    assert.deepEqual([reader.calls, reader.taken().length, await waiting()], [[2, 2, 2], 6, 0])
  })
})
