import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BUILTIN_ID, createBuiltinEmbedder } from '../../src/embedding/builtin/builtin.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { enqueueJobs } from '../../src/embedding/job-store.ts'
import { forgetOtherModels } from '../../src/embedding/model-change.ts'
import { chooseModel, tenantsBehind } from '../../src/embedding/model-store.ts'
import { targetsOf } from '../../src/composition/embedding-targets.ts'
import { installedModels } from '../../src/embedding/target-model.ts'
import { adoptModel } from '../../src/embedding/write-models.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { advanceWatermark } from '../../src/platform/database/watermark.ts'
import type { Service } from '../../src/server.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { assertOneModel, QUERY } from './one-model.ts'
import { Provider, REFUSED_WORD } from './provider.ts'
import { call, ENTRIES, type Hit, reached, search, Stage, status } from './stage.ts'
import { until } from '../support/patience.ts'

const MODEL_A = 'openai:model-a:default'
const MODEL_B = 'openai:model-b:default'
/** The models of services with the built-in model, and with that of a provider. */
const BUILTIN = installedModels({ provider: 'builtin' }, BUILTIN_ID)
const PROVIDED = installedModels({ provider: 'openai' }, MODEL_A)
/** A built-in model whose files no release has any more. */
const GONE = 'builtin:static-de-en-v1:256'
const COUNT = 120

onAnyDatabase('a tenant that moves to another embedding model', (kind) => {
  let stage: Stage
  let provider: Provider
  let service: Service

  before(async () => {
    provider = await Provider.start()
    stage = await Stage.open(kind)
  })
  after(async () => {
    await stage.close()
    await provider.stop()
  })

  test('can be searched all the time, with one model at a time, including what is written meanwhile', async () => {
    service = await stage.start()
    await stage.import(service, COUNT)
    await stage.stop(service)
    let finish = provider.hold(laterBatches())
    service = await stage.start(provider.settings('model-a'))
    await moveUnderSearch(stage, service, [BUILTIN_ID, 'model-a'], MODEL_A, finish)
    await stage.stop(service)
    finish = provider.hold(laterBatches())
    service = await stage.start(provider.settings('model-b'))
    await moveUnderSearch(stage, service, ['model-a', 'model-b'], MODEL_B, finish)
    await stage.stop(service)
  })

  test('whose old model no longer ships is found by words until all has new vectors, and loses nothing', async () => {
    service = await stage.start()
    await reached(service, ({ model, pending }) => model === BUILTIN_ID && pending === 0)
    await stage.stop(service)
    await withVectorsOf(stage, GONE)
    const before = await entriesOf(stage)
    const [{ id: last }] = before
    // As if another process were at work on one entry: the move cannot end before it has.
    await stage.database.write((tx) => enqueueJobs(tx, 'default', 'entry', BUILTIN_ID, [last]))
    const claim = (until: number) =>
      stage.database.queries.updateTable('embedding_jobs').set({ claimed_until: until }).execute()
    await claim(Date.now() + 3_600_000)
    service = await stage.start()
    const during = await reached(service, ({ items, embedded }) => embedded === items - 1)
    assert.deepEqual([during.model, during.target_model, during.failing], [GONE, BUILTIN_ID, 0])
    const written = await stage.create(service, 'Kingfisher', 'A bird by the river')
    for (const [mode, degraded] of [
      ['keyword', null],
      ['hybrid', 'embedding'],
    ] as const) {
      const all = await search(service, QUERY, mode)
      assert.deepEqual([all.status, all.headers.get('x-search-degraded'), all.body.length], [200, degraded, 10])
      assert.equal((await search(service, 'kingfisher', mode)).body[0].entry.id, written)
    }
    const refused = await search(service, QUERY, 'semantic')
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
    await claim(0)
    await reached(service, ({ model, pending, items, embedded }) => {
      return model === BUILTIN_ID && pending === 0 && embedded === items
    })
    for (const [query, mode] of [QUERY, 'kingfisher'].flatMap((query) => [
      [query, 'semantic'],
      [query, 'hybrid'],
    ])) {
      const { status, headers, body } = await search(service, query, mode)
      assert.deepEqual([status, headers.get('x-search-degraded')], [200, null])
      await assertOneModel(body, [BUILTIN_ID], query)
    }
    assert.equal((await search(service, 'kingfisher', 'semantic')).body[0].entry.id, written)
    assert.equal((await call(service, 'DELETE', `${ENTRIES}/${written}`)).status, 204)
    assert.deepEqual(await entriesOf(stage), before)
    await assertConsistent(stage.database)
    await stage.stop(service)
    while (!(await forgetOtherModels(stage.database, targetsOf(), 'default', BUILTIN)));
    const left = await stage.database.queries.selectFrom('entry_vectors').select('model').distinct().execute()
    assert.deepEqual(left, [{ model: BUILTIN_ID }])
  })

  test('keeps the model of its first write against an older process, and not against a younger one', async () => {
    const pool = new EmbedderPool({ provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null })
    await createTenant(stage.database, { id: 'first-write', name: 'First write', host: null })
    await stage.database.write((tx) => adoptModel(tx, pool, 'first-write', null, BUILTIN_ID))
    const isTakenBy = async (startedAt: number) =>
      (await tenantsBehind(stage.database, PROVIDED, startedAt)).some(({ tenantId }) => tenantId === 'first-write')
    assert.equal(await isTakenBy(pool.startedAt - 1), false)
    assert.equal(await isTakenBy(pool.startedAt + 1), true)
    await stage.database.queries.deleteFrom('sites').where('tenant_id', '=', 'first-write').execute()
    await stage.database.queries.deleteFrom('audit_log').where('tenant_id', '=', 'first-write').execute()
    await stage.database.queries.deleteFrom('tenants').where('tenant_id', '=', 'first-write').execute()
    await pool.close()
  })

  test('continues the move after kill -9', async () => {
    const finish = provider.hold(laterBatches())
    const before = provider.calls.get('model-a') ?? 0
    const process = await ServiceProcess.start(stage.place, provider.settings('model-a'))
    const { items } = await reached(process, ({ embedded }) => embedded >= 32)
    await process.kill()
    finish()
    // As if a dead process's claims on jobs had expired.
    await stage.database.queries.updateTable('embedding_jobs').set({ claimed_until: 0 }).execute()
    service = await stage.start(provider.settings('model-a'))
    await reached(service, ({ model, embedded }) => model === MODEL_A && embedded === items)
    // At most two batches were lost; finished vectors are not made again.
    assert.ok(provider.calls.get('model-a')! - before <= Math.ceil(items / 32) + 2)
    await assertConsistent(stage.database)
    await stage.stop(service)
  })

  test('follows the process that started last when two have different settings, and keeps its model', async () => {
    const older = await stage.start(provider.settings('model-a'))
    const younger = await stage.start(provider.settings('model-b'))
    await reached(younger, ({ model }) => model === MODEL_B)
    const id = await stage.create(older, 'Written through the older', 'flamingo')
    await reached(younger, ({ model, pending }) => model === MODEL_B && pending === 0)
    const seen = new Set<string | null>()
    for (let i = 0; i < 25; i++) {
      seen.add((await status(older)).model)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.deepEqual([...seen], [MODEL_B])
    for (const each of [older, younger]) {
      const { body } = await search(each, 'Written through the older flamingo', 'semantic')
      assert.equal(body[0].entry.id, id)
      assert.equal(body[0].entry.embedding_model, MODEL_B)
    }
    await assertConsistent(stage.database)
    await stage.stop(older)
    await stage.stop(younger)
  })

  test('moves even if the provider refuses one text, which keyword search still finds', async () => {
    service = await stage.start(provider.settings('model-b'))
    const id = await stage.create(service, 'Refused', `It is ${REFUSED_WORD}, the pelican`)
    await stage.import(service, 40, { name: 'Neighbour' })
    await reached(service, ({ items, embedded, failing }) => embedded === items - 1 && failing === 1)
    await stage.stop(service)
    service = await stage.start(provider.settings('model-a'))
    const { items, embedded } = await reached(service, ({ model }) => model === MODEL_A)
    assert.equal(embedded, items - 1)
    const { body } = await call(service, 'GET', `${ENTRIES}/${id}`)
    assert.equal(body.embedding_model, null)
    assert.equal((await search(service, 'pelican', 'keyword')).body[0].entry.id, id)
    await assertConsistent(stage.database)
    await stage.stop(service)
  })
})

/**
 * Returns a condition that holds for each call of a move but the first. Calls with few texts do not count: they are of
 * searches that run at once, or of new entries.
 */
function laterBatches(): (texts: readonly string[]) => boolean {
  let batches = 0
  return ({ length }) => length > 8 && batches++ > 0
}

/**
 * Searches in every mode until the move is over, and writes in the middle of it.
 * @param finish lets the batches of the move go that the provider holds back
 */
async function moveUnderSearch(
  stage: Stage,
  service: Service,
  models: readonly [string, string],
  target: string,
  finish: () => void,
): Promise<void> {
  const { items } = await status(service)
  const progress = { isMoving: true, answers: 0 }
  const searching = ['semantic', 'keyword', 'hybrid', 'semantic'].map(async (mode) => {
    while (progress.isMoving) {
      const { status, headers, body } = await search(service, QUERY, mode)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(headers.get('x-search-degraded'), null)
      assert.equal(body.length, 10, `${mode} search answers in full`)
      // Search by words asks no outside provider, and then has no similarities.
      if (mode !== 'keyword') await assertOneModel(body, models)
      progress.answers++
    }
  })
  const over = (async () => {
    const [lasting, gone] = await Promise.all([
      stage.create(service, 'Kept', 'A kingfisher by the river'),
      stage.create(service, 'Gone', 'A woodpecker in the wood'),
    ])
    const changed = await call(service, 'PATCH', `${ENTRIES}/${lasting}`, { content: 'A nightingale by the lake' })
    assert.equal(changed.status, 200)
    assert.equal((await call(service, 'DELETE', `${ENTRIES}/${gone}`)).status, 204)
    const halfway = await reached(service, ({ embedded }) => embedded > 0)
    assert.notEqual(halfway.model, target, 'the status shows the move while it lasts')
    assert.equal(halfway.target_model, target)
    await until(() => progress.answers > 20, 'searches are answered during the move')
    finish()
    await reached(service, ({ model, pending }) => model === target && pending === 0)
    const seen = progress.answers
    await until(() => progress.answers >= seen + 8, 'each search is answered after the move')
    return lasting
  })().finally(() => (progress.isMoving = false))
  const [lasting] = await Promise.all([over, ...searching])
  const after = await status(service)
  assert.deepEqual([after.items, after.embedded], [items + 1, items + 1])
  const hits = (await search(service, 'A nightingale by the lake', 'semantic')).body as Hit[]
  assert.equal(hits[0].entry.id, lasting)
  await assertOneModel(hits, [models[1], models[1]], 'A nightingale by the lake')
  assert.deepEqual((await search(service, 'kingfisher woodpecker', 'keyword')).body, [])
  await assertConsistent(stage.database)
  const { queries } = stage.database
  const [{ id }] = await queries.selectFrom('entries').select('id').where('id', '=', lasting).execute()
  assert.equal((await call(service, 'DELETE', `${ENTRIES}/${id}`)).status, 204)
}

/** Returns the entries that are not in the bin, with all that the tenant wrote. */
function entriesOf({ database }: Stage) {
  return database.queries
    .selectFrom('entries')
    .select(['id', 'title', 'content', 'category_id', 'version'])
    .where('tenant_id', '=', 'default')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Leaves the tenant as an earlier release left it: with vectors of a model that this release has not. Any numbers do,
 * because no query can be compared with them.
 */
async function withVectorsOf({ database }: Stage, model: string): Promise<void> {
  const embedder = createBuiltinEmbedder()
  await database.write(async (tx) => {
    const { seq } = await advanceWatermark(tx, 'default')
    await chooseModel(tx, 'default', model, 1)
    for (const target of targetsOf()) {
      const ids = await target.missing(tx, 'default', model, '', 1_000)
      if (ids.length === 0) continue
      for (const item of await target.load(tx, 'default', ids, embedder)) {
        const vectors = await embedder.embed(item.texts, 'passage')
        assert.equal(
          await target.save(tx, 'default', model, item, { vectors, hashes: null, isSearched: true }, seq),
          true,
        )
      }
      await target.activate(tx, 'default', model)
      while ((await target.forgetOthers(tx, 'default', model, 500)) > 0);
    }
  })
}
