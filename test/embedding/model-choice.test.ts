import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { BOTH_ID, CONTEXTUAL_ID, STATIC_ID } from '../../src/embedding/builtin/ids.ts'
import { ContextualReader } from '../../src/embedding/contextual/contextual-reader.ts'
import type { EmbeddingModels } from '../../src/embedding/contract.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { modelsOfTenant } from '../../src/embedding/rules.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { Service } from '../../src/server.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { ADMIN_KEY } from '../durability/service-process.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'
import { until } from '../support/patience.ts'
import { assertOneModel, QUERY } from './one-model.ts'
import { Provider } from './provider.ts'
import { call, type Hit, reached, search, Stage, status } from './stage.ts'

const MODELS = '/api/knowledge/embedding-models'
const MODEL_A = 'openai:model-a:default'
const COUNT = 60

onAnyDatabase('a tenant that chooses its embedding model', (kind) => {
  let stage: Stage
  let provider: Provider
  let service: Service

  let embedders: EmbedderPool

  before(async () => {
    provider = await Provider.start()
    stage = await Stage.open(kind)
    const reader = new ContextualReader({ threads: 1, log: { warn: () => undefined } })
    const { embedding } = testConfig(stage.place)
    embedders = new EmbedderPool(embedding, undefined, undefined, undefined, reader)
  })
  after(async () => {
    await embedders.close()
    await stage.close()
    await provider.stop()
  })

  const models = async (): Promise<EmbeddingModels> => (await call(service, 'GET', MODELS)).body
  const choose = async (choice: string | null) => {
    const answer = await call(service, 'PATCH', MODELS, { choice })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as EmbeddingModels
  }
  const offerOf = ({ models: offers }: EmbeddingModels, name: string) => offers.find((offer) => offer.name === name)!

  test('keeps it when the operator configures a provider, to which the others move', async () => {
    service = await stage.start()
    await stage.import(service, COUNT)
    const before = await reached(service, ({ items, embedded }) => embedded === items)
    assert.equal((await models()).choice, null)
    await createTenant(stage.database, { id: 'other', name: 'Other', host: null })
    const modelOfOther = async () => (await modelsOfTenant(stage.database.queries, 'other')).model
    await until(async () => (await modelOfOther()) === STATIC_ID, 'another tenant has the built-in model')
    const chosen = await choose('static-de-en-v2')
    assert.deepEqual(
      [chosen.choice, chosen.model, chosen.target_model, offerOf(chosen, 'static-de-en-v2').items],
      ['static-de-en-v2', STATIC_ID, STATIC_ID, 0],
    )
    await stage.stop(service)
    service = await stage.start(provider.settings('model-a'))
    const id = await stage.create(service, 'Kingfisher', 'A bird by the river')
    const { model, target_model: target, pending, embedded } = await status(service)
    assert.deepEqual([model, target, pending, embedded], [STATIC_ID, STATIC_ID, 0, before.items + 1])
    const { body } = await search(service, 'kingfisher', 'semantic')
    assert.equal(body[0].entry.id, id)
    await assertOneModel(body, [STATIC_ID], 'kingfisher')
    await until(async () => (await modelOfOther()) === MODEL_A, 'the other tenant moves')
    assert.deepEqual(provider.texts, [], 'nothing of the tenant reaches the provider')
    assert.equal((await models()).default_model, MODEL_A)
  })

  test('reads what a move costs, is searched all the time while it leaves and returns, and is embedded once', async () => {
    const { items } = await status(service)
    const passagesAsked = () => provider.texts.filter((text) => text !== QUERY).length
    const searches = searchAllTheTime(service, [STATIC_ID, 'model-a'])
    let batches = 0
    const finish = provider.hold(({ length }) => length > 8 && batches++ > 0)
    await choose(null)
    const halfway = await reached(service, ({ embedded }) => embedded > 0)
    assert.deepEqual([halfway.model, halfway.target_model], [STATIC_ID, MODEL_A])
    const { warnings } = (await call(service, 'GET', '/api/knowledge/status')).body
    assert.equal(warnings.length, 1, 'what waits is found by the old vectors, so nothing warns of it')
    assert.match(warnings[0], new RegExp(`^\\d+ of ${items} entries and products are ready for the new model; `))
    await searches.more()
    // The last choice wins: nothing waits for the model that is given up.
    await choose('static-de-en-v2')
    const back = await status(service)
    assert.deepEqual([back.model, back.target_model, back.embedded, back.pending], [STATIC_ID, STATIC_ID, items, 0])
    assert.deepEqual(await stage.database.queries.selectFrom('embedding_jobs').selectAll().execute(), [])
    finish()
    await searches.more()
    assert.equal((await status(service)).model, STATIC_ID)
    await choose(null)
    await reached(service, ({ model }) => model === MODEL_A)
    await searches.more()
    const asked = passagesAsked()
    assert.ok(asked <= items + 32, `${asked} passages were embedded for ${items}, at most one batch of them twice`)
    await choose('static-de-en-v2')
    await reached(service, ({ model }) => model === STATIC_ID)
    await choose(null)
    await reached(service, ({ model }) => model === MODEL_A)
    await searches.stop()
    assert.equal(passagesAsked(), asked, 'vectors that are still there are not made again')
    await assertConsistent(stage.database)
  })

  test('names its settings by If-Match, and the change is in the audit log', async () => {
    const read = await call(service, 'GET', MODELS)
    const patch = (etag: string, body: object) =>
      fetch(service.url + MODELS, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${ADMIN_KEY}`, 'if-match': etag, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const etag = read.headers.get('etag')!
    const settings = await call(service, 'GET', '/api/knowledge/tenant-settings')
    assert.equal(settings.headers.get('etag'), etag, 'the model is one of the settings')
    assert.equal((await patch('"0"', { choice: 'static-de-en-v2' })).status, 412)
    const changed = await patch(etag, { choice: 'static-de-en-v2' })
    assert.equal(changed.status, 200)
    assert.equal((await patch(etag, { choice: null })).status, 412)
    const same = await patch(changed.headers.get('etag')!, { choice: 'static-de-en-v2' })
    assert.deepEqual([same.status, same.headers.get('etag')], [200, changed.headers.get('etag')])
    const { body } = await call(
      service,
      'GET',
      '/api/knowledge/audit-records?resource_type=tenant&action=update&limit=1',
    )
    assert.deepEqual(body[0].details, {
      changes: { embedding_choice: { before: null, after: 'static-de-en-v2' } },
    })
    await stage.stop(service)
  })

  test('moves to the models that read and back, searched all the time, with one model at a time', async () => {
    service = await stage.start()
    const { items } = await reached(
      service,
      ({ model, embedded, items: all }) => model === STATIC_ID && embedded === all,
    )
    const searches = searchAllTheTime(service, [STATIC_ID, BOTH_ID, CONTEXTUAL_ID], embedders)
    const chosen = new Set(['static-de-en-v2'])
    for (const [choice, id] of [
      ['both', BOTH_ID],
      ['static-de-en-v2', STATIC_ID],
      ['contextual-eu-v1', CONTEXTUAL_ID],
      ['both', BOTH_ID],
    ] as const) {
      const isNew = !chosen.has(choice)
      const offer = offerOf(await models(), choice)
      assert.deepEqual([offer.can_be_chosen, offer.reason], [true, null])
      // The vectors of an earlier choice are still there, and cost nothing.
      assert.deepEqual([offer.items, offer.passages], isNew ? [items, items] : [0, 0])
      assert.equal(offer.minutes, isNew ? 1 : 0)
      chosen.add(choice)
      await choose(choice)
      await reached(service, ({ model, pending }) => model === id && pending === 0)
      await searches.more()
    }
    await searches.stop()
    const id = await stage.create(service, 'Woodpecker', 'A bird in the wood')
    await reached(service, ({ pending, embedded }) => pending === 0 && embedded === items + 1)
    const { body } = await search(service, 'woodpecker', 'semantic')
    assert.equal(body[0].entry.id, id)
    await assertOneModel(body, [BOTH_ID], 'woodpecker', embedders)
    await assertConsistent(stage.database)
    await stage.stop(service)
  })

  test('is changed by no update, while a tenant without entries gets the default', async () => {
    service = await stage.start()
    await choose('static-de-en-v2')
    await reached(service, ({ model }) => model === STATIC_ID)
    await stage.stop(service)
    await withoutChoices(stage.database)
    const earlier = { embedding_model: STATIC_ID, model_chosen_at: 1 }
    await stage.database.queries.updateTable('tenants').set(earlier).execute()
    service = await stage.start({ EMBEDDING_MODEL: 'both' })
    await createTenant(stage.database, { id: 'new', name: 'New', host: null })
    for (const id of ['other', 'new']) {
      const isOnBoth = async () => (await modelsOfTenant(stage.database.queries, id)).model === BOTH_ID
      await until(isOnBoth, `the tenant ${id} has the default`)
    }
    const { choice, model, target_model: target, default_model: standard } = await models()
    assert.deepEqual([choice, model, target, standard], [null, STATIC_ID, STATIC_ID, STATIC_ID])
    assert.deepEqual(await stage.database.queries.selectFrom('embedding_jobs').selectAll().execute(), [])
    await stage.stop(service)
  })
})

/** Takes choices and what was read away again, as in a database of an earlier release. */
async function withoutChoices({ queries }: Database): Promise<void> {
  await sql`alter table tenants drop column embedding_choice`.execute(queries)
  for (const table of ['entry_vectors', 'product_vectors'])
    await sql`alter table ${sql.table(table)} drop column text_hashes`.execute(queries)
  await sql`delete from kysely_migration where name in ('0008-model-choice', '0009-text-hashes')`.execute(queries)
}

/** Searches in every mode, and fails at an answer that is late, lacks hits or mixes models. */
function searchAllTheTime(service: Service, models: readonly string[], embedders?: EmbedderPool) {
  const progress = { isOn: true, answers: 0 }
  const searching = ['semantic', 'keyword', 'hybrid'].map(async (mode) => {
    while (progress.isOn) {
      const { status: code, headers, body } = await search(service, QUERY, mode)
      assert.deepEqual([code, headers.get('x-search-degraded')], [200, null], JSON.stringify(body))
      assert.equal(body.length, 10, `${mode} search answers in full`)
      // Search by words asks no outside provider, and then has no similarities.
      if (mode !== 'keyword') await assertOneModel(body as Hit[], models, QUERY, embedders)
      progress.answers++
    }
  })
  const all = Promise.all(searching)
  all.catch(() => undefined)
  return {
    /** Waits until each search was answered again. */
    async more(): Promise<void> {
      const seen = progress.answers
      await Promise.race([all, until(() => progress.answers > seen + 6, 'searches are answered')])
    },
    async stop(): Promise<void> {
      progress.isOn = false
      await all
    },
  }
}
