import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BUILTIN_ID } from '../../src/embedding/builtin/builtin.ts'
import { EmbeddingUnavailable, type Embedder } from '../../src/embedding/embedder.ts'
import { measuredIn } from '../../src/embedding/scale/measured-in.ts'
import { ModelScales } from '../../src/embedding/scale/model-scales.ts'
import { ScaleKeeper } from '../../src/embedding/scale/scale-keeper.ts'
import { findCosines } from '../../src/embedding/scale/store.ts'
import type { Service } from '../../src/server.ts'
import { onAnyDatabase, onEachDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import { Provider, SQUEEZED, STRAIGHT, vectorOf } from './provider.ts'
import { call, ENTRIES, reached, Stage } from './stage.ts'

const STRAIGHT_ID = `openai:${STRAIGHT}:default`
const SQUEEZED_ID = `openai:${SQUEEZED}:default`

const TEXTS = [
  ['Returning a parcel', 'Goods can be sent back within thirty days. Print the label and hand it to the courier.'],
  ['Resetting a password', 'Follow the link on the sign-in page. The new password arrives by mail.'],
  ['Holiday requests', 'Ask your manager for leave two weeks ahead. Days of last year expire in March.'],
  ['Travel expenses', 'Hand in receipts of a business trip within a month. Trains are paid in second class.'],
  ['Delivery times', 'Parcels within the country arrive in two working days, bulky goods take a week.'],
  ['Urlaub beantragen', 'Urlaub wird zwei Wochen vorher bei der Führungskraft beantragt.'],
  ['Ein Paket zurücksenden', 'Waren können innerhalb von dreißig Tagen zurückgegeben werden.'],
  ['Kaffeemaschine reinigen', 'Die Maschine wird freitags entkalkt. Das Mittel steht unter der Spüle.'],
]

const QUERIES = ['how do I send goods back', 'Wie beantrage ich Urlaub?', 'password', 'Quantenphysik', 'speed of light']

/** What a search shows of a hit. */
interface Shown {
  readonly title: string
  readonly relevance: number
  readonly score: number | null
}

/** Returns what searches for all queries find, in every mode, with and without a least relevance. */
async function findings(service: Service): Promise<Map<string, readonly Shown[]>> {
  const all = new Map<string, readonly Shown[]>()
  for (const query of QUERIES) {
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      for (const least of [{ relevance: true }, { min_relevance: 0.2 }]) {
        const { status, body } = await call(service, 'POST', `${ENTRIES}/search`, { query, mode, ...least })
        assert.equal(status, 200)
        const hits = body as { entry: { title: string }; relevance: number; score?: number }[]
        const shown = hits.map(({ entry, relevance, score = null }) => ({ title: entry.title, relevance, score }))
        all.set(`${query} ${mode} ${JSON.stringify(least)}`, shown)
      }
    }
  }
  return all
}

onAnyDatabase('a provider that squeezes all cosines', (kind) => {
  let stage: Stage
  let provider: Provider

  before(async () => {
    provider = await Provider.start()
    stage = await Stage.open(kind)
  })
  after(async () => {
    await stage.close()
    await provider.stop()
  })

  test('ranks and rates the hits of a tenant that moves to it as the model that it squeezes', async () => {
    const straight = await stage.start(provider.settings(STRAIGHT))
    for (const [title, content] of TEXTS) await stage.create(straight, title, content)
    await reached(straight, ({ model, items, embedded }) => model === STRAIGHT_ID && items === embedded)
    const isMeasured = async () => (await findCosines(stage.database.queries, STRAIGHT_ID)) !== null
    await until(isMeasured, 'the model is measured')
    const expected = await findings(straight)
    await stage.stop(straight)
    const service = await stage.start(provider.settings(SQUEEZED))
    await reached(service, ({ model }) => model === SQUEEZED_ID)
    const actual = await findings(service)
    for (const [search, hits] of expected) {
      const others = actual.get(search)!
      assert.deepEqual(
        others.map(({ title }) => title),
        hits.map(({ title }) => title),
        search,
      )
      for (const [i, { relevance, score }] of hits.entries()) {
        assert.ok(Math.abs(others[i].relevance - relevance) < 0.01, search)
        assert.ok(Math.abs((others[i].score ?? 0) - (score ?? 0)) < 0.01, search)
      }
    }
    assert.deepEqual(expected.get('Quantenphysik semantic {"min_relevance":0.2}'), [])
    assert.ok(expected.get('password semantic {"min_relevance":0.2}')!.length > 0)
    await assertExplained(service)
    await stage.stop(service)
  })
})

/** Fails unless the parts of explained scores make up the scores, with similarities that are cosines of the model. */
async function assertExplained(service: Service): Promise<void> {
  const request = { query: 'send goods back', mode: 'hybrid', explain: true }
  const { body } = await call(service, 'POST', `${ENTRIES}/search`, request)
  assert.ok(body.length > 3)
  for (const { similarity, score, explanation } of body) {
    const { coverage, instead_of_coverage: instead = 0, vector_weight: weight, scaled_similarity: scaled } = explanation
    assert.ok(similarity > 0.7 && scaled < similarity)
    assert.ok(Math.abs(Math.max(coverage, instead) + weight * scaled - score) < 1e-6)
  }
  const laboratory = { section: 'knowledge', query: 'send goods back' }
  const searched = await call(service, 'POST', '/api/knowledge/laboratory/search', laboratory)
  assert.equal(searched.status, 200, JSON.stringify(searched.body))
  for (const { mode, hits } of searched.body.answers) {
    for (const hit of hits) assert.ok(Math.abs(hit.other) < 1e-6, mode)
  }
}

onEachDatabase('the scale of a model', (kind) => {
  let stage: Stage
  let embedded = 0
  let isDown = true
  const now = { ms: 0 }
  const warnings: string[] = []
  const embedder = {
    id: SQUEEZED_ID,
    batchSize: 32,
    async embed(texts: readonly string[]) {
      if (isDown) throw new EmbeddingUnavailable('the provider is down')
      assert.ok(texts.length <= 32)
      embedded += texts.length
      return texts.map((text) => vectorOf(SQUEEZED, text))
    },
  } as unknown as Embedder

  const newKeeper = () =>
    new ScaleKeeper({
      database: stage.database,
      embedderOf: (model) => (model === SQUEEZED_ID ? embedder : null),
      warn: (message) => void warnings.push(message),
      now: () => now.ms,
    })

  before(async () => {
    stage = await Stage.open(kind)
    await stage.stop(await stage.start())
  })
  after(() => stage.close())

  test('is the identity until the model is measured, which is tried again after a failure, and done once', async () => {
    const scales = new ModelScales(measuredIn(stage.database), () => now.ms)
    const keeper = newKeeper()
    keeper.begin([BUILTIN_ID, SQUEEZED_ID])
    assert.deepEqual([keeper.isMeasuring(BUILTIN_ID), keeper.isMeasuring(SQUEEZED_ID)], [false, true])
    await keeper.settled()
    assert.equal(keeper.isMeasuring(SQUEEZED_ID), false)
    assert.deepEqual(await scales.of(SQUEEZED_ID), { factor: 1, offset: 0 })
    isDown = false
    keeper.begin([SQUEEZED_ID])
    await keeper.settled()
    assert.equal(embedded, 0)
    now.ms += 60_000
    keeper.begin([SQUEEZED_ID])
    await keeper.settled()
    assert.equal(embedded, 120)
    now.ms += 60_000
    const { factor, offset } = await scales.of(SQUEEZED_ID)
    assert.ok(Math.abs(factor - 5) < 0.01 && Math.abs(offset + 4) < 0.01)
    assert.deepEqual(await scales.of(BUILTIN_ID), { factor: 1, offset: 0 })
    for (const other of [keeper, newKeeper()]) {
      other.begin([SQUEEZED_ID])
      await other.settled()
    }
    assert.equal(embedded, 120)
    assert.deepEqual(warnings, [`the cosines of ${SQUEEZED_ID} could not be measured, and will be later`])
  })

  test('of a model that no settings reach stays the identity', async () => {
    const keeper = newKeeper()
    const gone = 'openai:gone:default'
    keeper.begin([gone])
    await keeper.settled()
    const scales = new ModelScales(measuredIn(stage.database))
    assert.deepEqual(await scales.of(gone), { factor: 1, offset: 0 })
  })
})
