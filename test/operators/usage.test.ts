import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countDueUsage, COUNTED_AGAIN_MS } from '../../src/composition/tenants/count-usage.ts'
import { findUsage } from '../../src/composition/tenants/usage-store.ts'
import { putUsage } from '../../src/composition/tenants/usage-store.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { tokensIn } from '../../src/embedding/openai/openai-answer.ts'
import { csvOf } from '../../src/channels/operators/csv.ts'
import { dayOf, UsageTally } from '../../src/platform/usage/usage-tally.ts'
import { atRest } from '../support/at-rest.ts'
import { samplesOf } from '../monitoring/samples.ts'
import { onEachDatabase } from '../support/databases.ts'
import { CATEGORIES, OperatorStage, said, TENANTS } from './stage.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const USAGE = '/api/operator/usage'
const NEVER = (error: unknown) => assert.fail(error as Error)

onEachDatabase('the usage of tenants', (kind) => {
  let stage: OperatorStage
  before(async () => {
    stage = await OperatorStage.start(kind)
  })
  after(() => stage.stop())

  const usageOf = async (id: string) => (await stage.call('GET', `${TENANTS}/${id}/usage`)).body
  const today = dayOf(Date.now())

  test('what a tenant has is counted, and counted again once it has changed and some time has passed', async () => {
    const { key } = await stage.tenant('counted')
    const call = (method: string, path: string, body?: object) => stage.service.call(method, path, { key, body })
    const { id: category } = (await call('POST', CATEGORIES, { name: 'Box' })).body
    const write = (content: string) => call('POST', ENTRIES, { title: 'Äpfel', content, category_id: category })
    await write('Ein Text.')
    await call('POST', '/api/knowledge/products?site_id=default', { title: 'Ball', language: 'de' })
    const { database } = stage.service
    await atRest(database)
    // Later than the service itself may have counted in between.
    const now = Date.now() + 2 * COUNTED_AGAIN_MS
    await countDueUsage(database, { now })
    const first = await usageOf('counted')
    assert.deepEqual([first.entries, first.products, first.passages, first.users, first.api_keys], [1, 1, 1, 1, 1])
    assert.ok(first.bytes >= Buffer.byteLength('ÄpfelEin Text.'))
    assert.equal(first.counted_at, new Date(now).toISOString())
    await write('Ein zweiter Text.')
    await stage.service.user({ tenant: 'counted', email: 'second@counted.example' })
    await countDueUsage(database, { now: now + COUNTED_AGAIN_MS - 1 })
    assert.deepEqual(await usageOf('counted'), first)
    await countDueUsage(database, { now: now + COUNTED_AGAIN_MS + 1 })
    const second = await usageOf('counted')
    assert.deepEqual([second.entries, second.users, second.api_keys], [2, 2, 2])
    assert.ok(second.bytes > first.bytes)
  })

  test('a tenant that has not changed is not read again', async () => {
    const { key } = await stage.tenant('quiet')
    await stage.service.call('POST', CATEGORIES, { key, body: { name: 'Box' } })
    const { database } = stage.service
    await atRest(database)
    const now = Date.now() + 10 * COUNTED_AGAIN_MS
    await countDueUsage(database, { now })
    const change = { entries: 77 }
    await database.queries.updateTable('tenant_usage').set(change).where('tenant_id', '=', 'quiet').execute()
    await countDueUsage(database, { now: now + 2 * COUNTED_AGAIN_MS })
    assert.equal((await usageOf('quiet')).entries, 77)
  })

  test('figures that were counted earlier do not replace later ones', async () => {
    await stage.tenant('slow')
    const { database } = stage.service
    const now = Date.now() + 20 * COUNTED_AGAIN_MS
    await countDueUsage(database, { now })
    const later = await findUsage(database, 'slow')
    assert.equal(later?.counted_at, now)
    await database.write((tx) => putUsage(tx, { ...later, counted_at: now - 1, entries: 77 }))
    assert.deepEqual(await findUsage(database, 'slow'), later)
  })

  test('searches and embedded tokens are counted by day, for the tenant that caused them', async () => {
    const tally = new UsageTally(stage.service.database, NEVER, () => Date.parse('2027-02-19T12:00:00Z'))
    const pool = new EmbedderPool(
      { provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null },
      (tenantId, tokens) => tally.embedded(tenantId, tokens),
    )
    await stage.tenant('busy')
    await stage.tenant('idle')
    await pool.embed(pool.current, 'busy', ['ein Haus am See'])
    await pool.queryVector(pool.current.id, 'busy', 'ein Haus')
    tally.search('busy')
    tally.search('busy')
    tally.search('nobody')
    tally.worked('busy', { requests: 1, workMs: 2.6, transferred: 100 })
    tally.indexed('busy', 500)
    await tally.flush()
    tally.search('busy')
    tally.worked('busy', { requests: 2, workMs: 3, transferred: 50 })
    tally.indexed('busy', 400)
    await tally.close()
    await pool.close()
    const { days } = (await stage.call('GET', `${TENANTS}/busy/usage?from=2027-02-01&to=2027-02-28`)).body
    assert.deepEqual(
      days.map(({ day, searches }: Record<string, unknown>) => [day, searches]),
      [['2027-02-19', 3]],
    )
    assert.ok(days[0].tokens_embedded >= 6, `${days[0].tokens_embedded} tokens for six words`)
    const { requests, work_ms: workMs, transferred_bytes: transferred, index_bytes: indexBytes } = days[0]
    assert.deepEqual([requests, workMs, transferred, indexBytes], [3, 6, 150, 500])
    const idle = (await stage.call('GET', `${TENANTS}/idle/usage?from=2027-02-01&to=2027-02-28`)).body
    assert.deepEqual(idle.days, [])
  })

  test('a running service counts them', async () => {
    const { key } = await stage.tenant('searching')
    const own = await stage.service.sibling()
    try {
      for (let i = 0; i < 3; i++)
        await stage.service.call(
          'POST',
          `${ENTRIES}/search`,
          { key, body: { query: 'Haus', mode: 'keyword' } },
          own.url,
        )
    } finally {
      await own.stop()
    }
    const { days } = await usageOf('searching')
    assert.deepEqual(
      days.map(({ day, searches }: Record<string, unknown>) => [day, searches]),
      [[today, 3]],
    )
  })

  test('requests, work, bytes and memory of indexes are counted by day, and name the busiest tenants in the metrics', async () => {
    const { key } = await stage.tenant('heavy')
    const own = await stage.service.sibling({ METRICS_TENANTS: 'on' })
    const call = (method: string, path: string, body?: object) =>
      stage.service.call(method, path, { key, body }, own.url)
    try {
      const { id: category } = (await call('POST', CATEGORIES, { name: 'Box' })).body
      const content = 'Ein Haus am See. '.repeat(100)
      await call('POST', ENTRIES, { title: 'Haus', content, category_id: category })
      assert.equal((await call('POST', `${ENTRIES}/search`, { query: 'Haus', mode: 'keyword' })).body.length, 1)
      assert.equal((await call('GET', `${ENTRIES}/00000000-0000-7000-8000-000000000000`)).status, 404)
      const samples = await samplesOf(own.url)
      assert.equal(samples.get('tenant_requests_total{tenant="heavy"}'), 4)
      assert.ok(samples.get('tenant_work_seconds_total{tenant="heavy"}')! > 0)
      assert.ok(samples.get('tenant_transferred_bytes_total{tenant="heavy"}')! > content.length)
    } finally {
      await own.stop()
    }
    const unnamed = [...(await samplesOf(stage.service.service.url)).keys()]
    assert.deepEqual(
      unnamed.filter((name) => name.startsWith('tenant_')),
      [],
      'no tenant is named where the setting is off',
    )
    const { days } = await usageOf('heavy')
    const [{ requests, work_ms: workMs, transferred_bytes: transferred, index_bytes: indexBytes }] = days
    assert.equal(requests, 4)
    assert.ok(workMs > 0)
    assert.ok(transferred > 1_700 && transferred < 100_000, `${transferred} bytes for four requests`)
    assert.ok(indexBytes > 0)
    const listed = (await stage.call('GET', `${USAGE}?q=heavy`)).body
    assert.deepEqual([listed[0].requests, listed[0].index_bytes], [requests, indexBytes])
  })

  test('a list tells all tenants in one call, as JSON and as CSV that no spreadsheet takes for formulas', async () => {
    await stage.call('POST', TENANTS, { id: 'formula', name: '=1+1,"x"' })
    const json = (await stage.call('GET', USAGE)).body
    assert.ok(json.length >= 6)
    const csv = await stage.call('GET', `${USAGE}?format=csv`)
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
    const lines = String(csv.body).trimEnd().split('\r\n')
    assert.equal(lines.length, json.length + 1)
    assert.match(lines[0], /^tenant_id,name,counted_at,entries,/)
    assert.ok(
      lines.some((line) => line.startsWith(`formula,"'=1+1,""x""",`)),
      csv.body,
    )
    const page = await stage.call('GET', `${USAGE}?format=csv&limit=1`)
    assert.match(page.headers.get('link')!, /format=csv/)
  })

  test('the list takes the filters of the list of tenants, page by page', async () => {
    for (const id of ['filtered-a', 'filtered-b', 'filtered-c']) await stage.call('POST', TENANTS, { id })
    await stage.call('POST', `${TENANTS}/filtered-b/suspend`)
    const idsOf = async (query: string): Promise<string[]> =>
      (await stage.call('GET', `${USAGE}?${query}`)).body.map(({ tenant_id: id }: { tenant_id: string }) => id)
    assert.deepEqual(await idsOf('q=FILTERED'), ['filtered-a', 'filtered-b', 'filtered-c'])
    assert.deepEqual(await idsOf('q=filtered&state=active'), ['filtered-a', 'filtered-c'])
    assert.deepEqual(await idsOf('q=no%20tenant%20has%20this'), [])
    const first = await stage.call('GET', `${USAGE}?q=filtered&limit=2`)
    const next = /<[^>]*\?([^>]*)>; rel="next"/.exec(first.headers.get('link')!)![1]
    assert.match(next, /q=filtered/)
    assert.deepEqual(await idsOf(next), ['filtered-c'])
    const csv = await stage.call('GET', `${USAGE}?format=csv&q=filtered&state=suspended`)
    assert.deepEqual(
      String(csv.body)
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
      ['filtered-b'],
    )
  })

  test('a day that is none, or a range that ends before it begins, is refused at its place', async () => {
    for (const [query, place] of [
      ['from=2027-02-30', 'from date_parsing'],
      ['to=yesterday', 'to date_parsing'],
      ['from=2027-03-01&to=2027-02-01', 'from value_error'],
    ])
      assert.deepEqual(said(await stage.call('GET', `${USAGE}?${query}`)), [`422 query.${place}`])
  })
})

test('a provider that says how many tokens it embedded is believed, wherever it says so', () => {
  const vectors = `"data":[{"embedding":"${'A'.repeat(5_000)}"}]`
  assert.equal(tokensIn(`{${vectors},"usage":{"prompt_tokens": 12,"total_tokens":12}}`), 12)
  assert.equal(tokensIn(`{"usage":{"total_tokens":7},${vectors}}`), 7)
  assert.equal(tokensIn(`{${vectors}}`), null)
})

test('cells of CSV keep their commas, quotes and lines', () => {
  assert.equal(csvOf(['a'], [['x,"y"\nz'], [-1], [null], ['@sum']]), 'a\r\n"x,""y""\nz"\r\n-1\r\n\r\n"\'@sum"\r\n')
})
