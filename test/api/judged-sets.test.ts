import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { found } from '../support/patience.ts'
import { joinService } from '../support/shared-service.ts'
import { isWhole } from '../support/tier.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const SETS = '/api/knowledge/judged-sets'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

onEachDatabase('judged sets', (kind) => {
  let service: TestService
  let low: string
  const ids: Record<string, string> = {}

  const create = async (path: string, body: object, key?: string) => {
    const answer = await service.call('POST', path, { body, key })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id as string
  }
  const newSet = (section = 'knowledge') => create(SETS, { name: 'Questions', section })
  const put = (set: string, queries: object[], key?: string) =>
    service.call('PUT', `${SETS}/${set}/queries`, { body: { queries }, key })
  const queriesOf = async (set: string, key?: string) =>
    (await service.call('GET', `${SETS}/${set}/queries`, { key })).body
  const run = async (set: string, body: object = {}, key?: string) => {
    const started = await service.call('POST', `${SETS}/${set}/runs`, { body, key })
    assert.equal(started.status, 202, JSON.stringify(started.body))
    return found(async () => {
      const { body: read } = await service.call('GET', `${SETS}/${set}/runs/${started.body.id}`, { key })
      return read.state === 'running' ? null : read
    }, 'the run has ended')
  }

  before(async () => {
    service = await joinService(kind)
    const category = await service.category('Handbook')
    const entry = async (title: string, fields: object = {}, path = ENTRIES) =>
      (ids[title] = await create(path, { title, language: 'en', content: title, category_id: category, ...fields }))
    await entry('Returns', { content: 'How to return a lamp.' })
    await entry('Lamps', { content: 'A lamp gives light.' })
    await entry('Opening hours', { content: 'We open at nine.' })
    await entry('Secret', { content: 'How to return a lamp in secret.', visibility: 'restricted' })
    await entry('Own note', {}, `${ENTRIES}/personal`)
    ids.Drill = await create('/api/knowledge/products?site_id=default', { title: 'Drill', language: 'en' })
    low = await service.key([...ROLE_SCOPES.admin.filter((s) => !s.startsWith('visibility:')), 'visibility:internal'])
  })
  after(() => service.stop())

  test('changes at the same moment add a query once, keep to the bounds, and start one run', async () => {
    const racing = await service.tenant('racing')
    const key = await service.key(ROLE_SCOPES.admin, racing)
    const set = await create(SETS, { name: 'Race', section: 'knowledge' }, key)
    const all = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))
    const puts = await all(6, () => put(set, [{ query: 'lamp', judgments: [] }], key))
    assert.deepEqual(puts.map(({ body }) => body.added).sort(), [0, 0, 0, 0, 0, 1])
    assert.equal((await queriesOf(set, key)).length, 1)
    const before = (await service.call('GET', SETS, { key })).body.length
    const creates = await all(56 - before, () =>
      service.call('POST', SETS, { key, body: { name: 'More', section: 'knowledge' } }),
    )
    assert.equal(creates.filter(({ status }) => status === 201).length, 50 - before)
    const runs = await all(6, () => service.call('POST', `${SETS}/${set}/runs`, { key, body: {} }))
    const started = runs.filter(({ status }) => status === 202)
    assert.ok(started.length >= 1)
    const rows = await service.database.queries
      .selectFrom('judged_runs')
      .select(['started_at', 'finished_at'])
      .where('tenant_id', '=', racing)
      .orderBy('started_at')
      .orderBy('id')
      .execute()
    for (const [i, { started_at: at }] of rows.slice(1).entries()) {
      const { finished_at: ended } = rows[i]
      assert.ok(ended !== null && ended <= at, 'a run began while another went on')
    }
  })

  test('a set is made, renamed, filled and deleted, and each of it is audited', async () => {
    const set = await newSet()
    const renamed = await service.call('PATCH', `${SETS}/${set}`, { body: { name: 'Support' } })
    assert.deepEqual([renamed.body.name, renamed.body.queries], ['Support', 0])
    const judgments = [{ id: ids.Returns, grade: 2 }]
    const stored = await put(set, [
      { query: 'return a lamp', judgments },
      { query: 'nothing answers this', judgments: [] },
    ])
    assert.deepEqual(stored.body, { added: 2, replaced: 0 })
    assert.equal((await service.call('GET', `${SETS}/${set}`)).body.queries, 2)
    const [first, second] = await queriesOf(set)
    assert.deepEqual(first.judgments, [{ id: ids.Returns, grade: 2, title: 'Returns' }])
    assert.equal((await service.call('DELETE', `${SETS}/${set}/queries/${second.id}`)).status, 204)
    assert.equal((await queriesOf(set)).length, 1)
    assert.equal((await service.call('DELETE', `${SETS}/${set}`)).status, 204)
    assert.equal((await service.call('GET', `${SETS}/${set}`)).status, 404)
    const records = await service.database.queries
      .selectFrom('audit_log')
      .select('action')
      .where('resource_id', '=', set)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      records.map(({ action }) => action),
      ['create', 'update', 'update', 'update', 'delete'],
    )
  })

  test('judging a query again replaces its judgments', async () => {
    const set = await newSet()
    await put(set, [{ query: 'lamp', judgments: [{ id: ids.Returns, grade: 2 }] }])
    const again = await put(set, [{ query: 'lamp', judgments: [{ id: ids.Lamps, grade: 1 }] }])
    assert.deepEqual(again.body, { added: 0, replaced: 1 })
    assert.deepEqual((await queriesOf(set))[0].judgments, [{ id: ids.Lamps, grade: 1, title: 'Lamps' }])
  })

  test('an id that does not exist, is above the ceiling or a private note is refused at its place, and nothing is stored', async () => {
    const set = await newSet()
    const bad = [UNKNOWN, ids.Secret, ids['Own note'], ids.Drill]
    const queries = [
      { query: 'good', judgments: [{ id: ids.Returns, grade: 2 }] },
      { query: 'bad', judgments: bad.map((id) => ({ id, grade: 1 })) },
    ]
    const answer = await put(set, queries, low)
    assert.equal(answer.status, 422)
    assert.deepEqual(
      answer.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]),
      bad.map((_, i) => [`body.queries.1.judgments.${i}.id`, 'reference_not_found']),
    )
    assert.deepEqual(await queriesOf(set), [])
  })

  test('a caller who may not see a judged entry neither sees its judgment nor removes it', async () => {
    const set = await newSet()
    await put(set, [
      {
        query: 'lamp',
        judgments: [
          { id: ids.Secret, grade: 2 },
          { id: ids.Lamps, grade: 1 },
        ],
      },
    ])
    const titles = async (key?: string) =>
      (await queriesOf(set, key))[0].judgments.map(({ title }: { title: string }) => title).sort()
    assert.deepEqual(await titles(low), ['Lamps'])
    await put(set, [{ query: 'lamp', judgments: [{ id: ids.Returns, grade: 2 }] }], low)
    assert.deepEqual(await titles(low), ['Returns'])
    assert.deepEqual(await titles(), ['Returns', 'Secret'])
  })

  test('a run measures each query by its judgments', async () => {
    const set = await newSet()
    await put(set, [
      { query: 'light', judgments: [{ id: ids.Lamps, grade: 2 }] },
      { query: 'light', judgments: [{ id: ids.Lamps, grade: 2 }] },
      {
        query: 'gives',
        judgments: [
          { id: ids['Opening hours'], grade: 2 },
          { id: ids.Lamps, grade: 1 },
        ],
      },
      { query: 'zzzz', judgments: [] },
    ])
    const { state, done, total, results, ndcg, first_right, settings } = await run(set, { mode: 'keyword' })
    assert.deepEqual([state, done, total], ['done', 3, 3])
    // For the second query only the lesser of two answers is found: 1 of an ideal of 2 + 1/log2(3).
    const lesser = 1 / (2 + 1 / Math.log2(3))
    assert.deepEqual(results, [
      { query: 'light', ndcg: 1, first_right: true },
      { query: 'gives', ndcg: lesser, first_right: false },
      { query: 'zzzz', ndcg: null, first_right: true },
    ])
    assert.deepEqual([ndcg, first_right], [(1 + lesser) / 2, 2 / 3])
    assert.deepEqual([settings.mode, settings.ceiling], ['keyword', 'restricted'])
    const [newest] = (await service.call('GET', `${SETS}/${set}/runs`)).body
    assert.deepEqual([newest.ndcg, newest.results], [ndcg, undefined])
  })

  test('a run with a lower ceiling does not count entries above it, and a run with a higher one is hidden from callers below', async () => {
    const set = await newSet()
    await put(set, [{ query: 'secret', judgments: [{ id: ids.Secret, grade: 2 }] }])
    const high = await run(set, { mode: 'keyword' })
    const reader = await run(set, { mode: 'keyword', role: 'reader' })
    assert.deepEqual([high.ndcg, reader.ndcg], [1, null])
    const seen = (await service.call('GET', `${SETS}/${set}/runs`, { key: low })).body
    assert.deepEqual(
      seen.map(({ id }: { id: string }) => id),
      [reader.id],
    )
    const path = `${SETS}/${set}/runs`
    assert.equal((await service.call('GET', `${path}/${high.id}`, { key: low })).status, 404)
    const above = await service.call('POST', path, { body: { ceiling: 'restricted' }, key: low })
    assert.deepEqual([above.status, above.body.detail[0].loc], [422, ['body', 'ceiling']])
  })

  test('sets of products are run too', async () => {
    const set = await newSet('products')
    await put(set, [{ query: 'drill', judgments: [{ id: ids.Drill, grade: 2 }] }])
    for (const mode of ['hybrid', 'semantic', 'keyword']) assert.equal((await run(set, { mode })).ndcg, 1, mode)
  })

  test('a tenant has one run at a time, which says how far it is; one whose process ended counts as failed', async () => {
    const set = await newSet()
    const row = (renewedMs: number) => ({
      tenant_id: service.tenantId,
      id: crypto.randomUUID(),
      set_id: set,
      state: 'running' as const,
      ceiling: 'public' as const,
      settings: '{}',
      done: 3,
      total: 9,
      ndcg: null,
      first_right: null,
      results: '[]',
      started_at: renewedMs,
      renewed_at: renewedMs,
      finished_at: null,
    })
    const going = row(Date.now())
    await service.database.queries.insertInto('judged_runs').values(going).execute()
    const [seen] = (await service.call('GET', `${SETS}/${set}/runs`)).body
    assert.deepEqual([seen.state, seen.done, seen.total], ['running', 3, 9])
    assert.equal((await service.call('POST', `${SETS}/${set}/runs`, { body: {} })).status, 409)
    await service.database.queries
      .updateTable('judged_runs')
      .set({ renewed_at: Date.now() - 60_001 })
      .where('id', '=', going.id)
      .execute()
    assert.equal((await service.call('GET', `${SETS}/${set}/runs/${going.id}`)).body.state, 'failed')
    assert.equal((await run(set)).state, 'done')
  })

  test('a set has 500 queries at most, read in pages', async () => {
    const set = await newSet()
    const many = Array.from({ length: 500 }, (_, i) => ({ query: `query ${i}`, judgments: [] }))
    assert.deepEqual((await put(set, many)).body, { added: 500, replaced: 0 })
    assert.equal((await put(set, [{ query: 'one more', judgments: [] }])).status, 409)
    const seen: string[] = []
    for (let path = `${SETS}/${set}/queries?limit=200`; path !== '';) {
      const { body, headers } = await service.call('GET', path)
      seen.push(...body.map(({ query }: { query: string }) => query))
      path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    assert.deepEqual(
      seen,
      many.map(({ query }) => query),
    )
    if (!isWhole) return
    const { done, total } = await run(set, { mode: 'keyword' })
    assert.deepEqual([done, total], [500, 500])
  })

  test('a tenant has 50 sets at most', async () => {
    const statuses: number[] = []
    while (!statuses.includes(409) && statuses.length <= 50) {
      const { status } = await service.call('POST', SETS, { body: { name: 'More', section: 'products' } })
      statuses.push(status)
    }
    assert.deepEqual(new Set(statuses), new Set([201, 409]))
    assert.equal((await service.call('GET', SETS)).body.length, 50)
  })

  test('only administrators use judged sets', async () => {
    const key = await service.key(ROLE_SCOPES.editor)
    assert.equal((await service.call('GET', SETS, { key })).status, 403)
  })

  test('a service that stops in the middle of a run ends it, and the run counts as failed', async () => {
    const other = await service.sibling()
    const [{ id: set }] = (await service.call('GET', SETS)).body
    const queries = Array.from({ length: 450 }, (_, i) => ({ query: `a longer query of words ${i}`, judgments: [] }))
    await put(set, queries)
    const started = await service.call('POST', `${SETS}/${set}/runs`, { body: {} }, other.url)
    assert.equal(started.status, 202)
    await other.stop()
    assert.equal((await service.call('GET', `${SETS}/${set}/runs/${started.body.id}`)).body.state, 'failed')
  })
})
