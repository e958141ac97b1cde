import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const SEARCH = `${ENTRIES}/search`

interface Hit {
  readonly entry: { readonly title: string }
  readonly similarity: number
  readonly score: number
  readonly explanation: {
    readonly coverage: number
    readonly vector_weight: number
    readonly instead_of_coverage?: number
    readonly title?: number
  }
}

/** English pages of a handbook, and a few German ones that share words with German questions about the others. */
const PAGES: readonly (readonly [language: string, title: string, content: string])[] = [
  ['en', 'Pod', 'The smallest unit that runs: one or more containers with shared storage and network.'],
  ['en', 'Debugging a pod', 'A pod that does not start: look at the pod, its events, the logs of the pod. pod pod pod'],
  ['en', 'Pod security', 'What a pod may do. A pod without rights is a pod that does no harm. pod pod pod'],
  ['en', 'ConfigMaps', 'Settings that are kept apart from the image of a container.'],
  [
    'en',
    'Settings of a ConfigMap',
    'A config map, key by key. Each config of the map. ConfigMap, config map, ConfigMap.',
  ],
  ['en', 'Cancel your contract', 'How to end the agreement: give notice in writing, one month before it runs out.'],
  ['en', 'Pay an invoice', 'Pay by bank transfer within two weeks, or allow us to collect the amount.'],
  ['en', 'Report sick', 'If you are ill, tell your manager before nine and send the note of your doctor.'],
  ['en', 'Travel expenses', 'Hand in receipts of hotels and trains to be paid back the costs of a journey.'],
  ['en', 'Reset your password', 'You forgot the password: ask for a link and choose a new one.'],
  ['en', 'Opening hours', 'The office is open from Monday to Friday, eight to five.'],
  ['de', 'Lieferanten', 'Mit jedem Lieferanten gibt es einen Vertrag. Den Vertrag verwahrt der Einkauf.'],
  ['de', 'Parkplätze', 'Wer einen Parkplatz mieten will, zahlt monatlich.'],
]

onAnyDatabase('relevance of entries', (kind) => {
  let service: TestService
  let category: string

  const put = async (fields: object): Promise<void> => {
    const answer = await service.call('POST', ENTRIES, { body: { category_id: category, ...fields } })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
  }
  const search = async (body: object, key?: string): Promise<Hit[]> => {
    const answer = await service.call('POST', SEARCH, { body: { explain: true, limit: 100, ...body }, key })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const first = async (query: string, mode: string): Promise<string> =>
    (await search({ query, mode, limit: 1 }))[0].entry.title

  before(async () => {
    service = await joinService(kind)
    category = await service.category('Handbook')
    for (const [language, title, content] of PAGES) await put({ language, title, content })
  })
  after(() => service.stop())

  test('a query that is a title, however it is written, has that entry first', async () => {
    for (const mode of ['keyword', 'hybrid']) {
      for (const query of ['pod', 'Pods', 'POD']) assert.equal(await first(query, mode), 'Pod', `${query}, ${mode}`)
      for (const query of ['configmap', 'config map', 'config-maps'])
        assert.equal(await first(query, mode), 'ConfigMaps', `${query}, ${mode}`)
    }
    const [hit, next] = await search({ query: 'pods', mode: 'hybrid' })
    assert.ok(hit.explanation.title! > 0 && next.explanation.title === undefined)
  })

  test('a title that a filter leaves out, or that the caller may not see, does not come first', async () => {
    await put({ language: 'en', title: 'Escalation', content: 'Whom to call at night.', visibility: 'restricted' })
    await put({ language: 'en', title: 'On call', content: 'An escalation names the next to call.' })
    assert.equal(await first('escalations', 'hybrid'), 'Escalation')
    const key = await service.key(['knowledge:read', 'visibility:internal'])
    const seen = await search({ query: 'escalations', mode: 'hybrid' }, key)
    assert.ok(seen.every(({ entry, explanation }) => entry.title !== 'Escalation' && explanation.title === undefined))
    const german = await search({ query: 'pod', mode: 'hybrid', language: 'de' })
    assert.deepEqual(german.map(({ entry }) => entry.title).sort(), ['Lieferanten', 'Parkplätze'])
  })

  test('search by meaning stays ordered by similarity, whatever the titles are', async () => {
    const similarities = (await search({ query: 'pod', mode: 'semantic' })).map(({ similarity }) => similarity)
    assert.deepEqual(
      similarities,
      similarities.toSorted((a, b) => b - a),
    )
  })

  test('a German question over English entries is not decided by a German entry that shares a word', async () => {
    const question = 'Wie kündige ich meinen Vertrag?'
    assert.equal(await first(question, 'keyword'), 'Lieferanten')
    const [hit, ...others] = await search({ query: question, mode: 'hybrid' })
    assert.equal(hit.entry.title, 'Cancel your contract')
    const { coverage, instead_of_coverage: instead = 0 } = hit.explanation
    assert.ok(instead > coverage)
    for (const { entry, explanation } of others)
      if (['Lieferanten', 'Parkplätze'].includes(entry.title)) assert.equal(explanation.instead_of_coverage, undefined)
  })

  test('the score is what the explanation says, and the weight of meaning is the same on every page', async () => {
    const request = { query: 'how do I get the costs of my train back', mode: 'hybrid' }
    const all = await search(request)
    const weights = new Set(all.map(({ explanation }) => explanation.vector_weight))
    assert.equal(weights.size, 1)
    for (const { similarity, score, explanation } of all) {
      const { coverage, vector_weight: weight, instead_of_coverage: instead = 0, title = 0 } = explanation
      assert.ok(Math.abs(score - (Math.max(coverage, instead) + weight * similarity + title)) < 1e-9)
    }
    const pages = [
      ...(await search({ ...request, limit: 3 })),
      ...(await search({ ...request, limit: 4, offset: 3 })),
      ...(await search({ ...request, offset: 7 })),
    ]
    assert.deepEqual(pages, all)
    const near = await search({ ...request, min_similarity: 0.2 })
    assert.deepEqual(
      near,
      all.filter(({ similarity }) => similarity >= 0.2),
    )
    assert.ok(near.length > 0 && near.length < all.length)
  })

  test('meaning weighs more where one entry stands out than where all are alike', async () => {
    const weightFor = async (query: string) => (await search({ query, mode: 'hybrid' }))[0].explanation.vector_weight
    assert.ok((await weightFor('how do I get a new password')) > 1.3 * (await weightFor('the thing with the other')))
  })

  test('the tenant’s weight stays a factor', async () => {
    const request = { query: 'how do I get the costs of my train back', mode: 'hybrid' }
    const weight = async () => (await search(request))[0].explanation.vector_weight
    const usual = await weight()
    const set = (value: number) =>
      service.database.queries
        .updateTable('tenants')
        .set({ settings: JSON.stringify({ vectorWeight: value }) })
        .where('tenant_id', '=', service.tenantId)
        .execute()
    const { settings } = await service.database.queries
      .selectFrom('tenants')
      .select('settings')
      .where('tenant_id', '=', service.tenantId)
      .executeTakeFirstOrThrow()
    await set(1)
    assert.ok(Math.abs((await weight()) - 2 * usual) < 1e-9)
    await set(0)
    assert.equal(await weight(), 0)
    await service.database.queries
      .updateTable('tenants')
      .set({ settings })
      .where('tenant_id', '=', service.tenantId)
      .execute()
  })

  test('entries above the ceiling move no score, however near they are', async () => {
    const key = await service.key(['knowledge:read', 'visibility:internal'])
    const request = { query: 'Wie bekomme ich die Kosten der Reise zurück?', mode: 'hybrid' }
    const before = await search(request, key)
    for (let n = 0; n < 12; n++)
      await put({ title: `Reisekosten ${n}`, content: 'Kosten der Reise', language: 'de', visibility: 'restricted' })
    assert.deepEqual(await search(request, key), before)
    assert.notDeepEqual((await search(request))[0], before[0])
  })

  test('a word that the query repeats counts more, and in a long query the rare words count wherever they stand', async () => {
    await put({ language: 'en', title: 'Boats', content: 'Boats and trains.' })
    await put({ language: 'en', title: 'Trams', content: 'Trams and trains. Trams and buses.' })
    const keyword = async (query: string) => (await search({ query, mode: 'keyword' })).map(({ entry }) => entry.title)
    const boats = await keyword('boat boat boat tram')
    const trams = await keyword('tram tram tram boat')
    assert.deepEqual([boats[0], trams[0]], ['Boats', 'Trams'])
    const unknown = Array.from(
      { length: 100 },
      (_, n) => `zq${String.fromCharCode(97 + (n % 26))}${'k'.repeat(n % 7)}x${n}`,
    )
    assert.equal((await keyword(`${unknown.join(' ')} receipts`))[0], 'Travel expenses')
  })
})
