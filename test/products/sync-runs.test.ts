import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import type { ProductSyncRun } from '../../src/shop/products/sync-runs/contract.ts'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'
const SITES = '/api/knowledge/sites'

onAnyDatabase('sync runs of a site', (kind) => {
  let service: TestService
  let sites = 0
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const newSite = async (): Promise<{ slug: string; id: string }> => {
    const slug = `runs-${++sites}`
    const { body } = await service.call('POST', SITES, { body: { slug, name: slug } })
    return { slug, id: body.id }
  }
  const push = async (slug: string, lines: readonly (object | string)[], query = '', key = service.adminKey) => {
    const body = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
    const headers = { 'content-type': 'application/x-ndjson' }
    const { status } = await service.call('POST', `${PRODUCTS}/bulk?site_id=${slug}${query}`, { body, headers, key })
    assert.equal(status, 200)
  }
  const product = (id: string, fields: object = {}) => ({ title: id, language: 'en', external_id: id, ...fields })
  const runsOf = async (siteId: string, query = ''): Promise<ProductSyncRun[]> => {
    const { status, body } = await service.call('GET', `${SITES}/${siteId}/sync-runs${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const countsOf = ({ created, updated, unchanged, failed, retired }: ProductSyncRun) => [
    created,
    updated,
    unchanged,
    failed,
    retired,
  ]

  test('a push is listed with what it changed, the lines it refused, and the key that pushed', async () => {
    const { slug, id } = await newSite()
    const issue = { name: 'Nightly feed', scopes: ['products:write'], userId: null, expiresAt: null }
    const { key, id: keyId } = await issueApiKey(service.database, service.tenantId, issue)
    await push(slug, [product('a'), product('b')], '', key)
    await push(slug, [product('a'), product('b', { title: 'other' }), product('c', { title: '' }), 'broken'], '', key)
    const [second, first] = await runsOf(id)
    assert.deepEqual(countsOf(first), [2, 0, 0, 0, 0])
    assert.deepEqual(countsOf(second), [0, 1, 1, 2, 0])
    assert.deepEqual([second.status, second.sync, second.source, second.refusal], ['finished', 'delta', 'feed', null])
    assert.deepEqual(second.by, { kind: 'key', id: keyId, name: 'Nightly feed' })
    assert.deepEqual(
      second.failures.map(({ line, external_id, field }) => [line, external_id, field]),
      [
        [3, 'c', 'title'],
        [4, null, ''],
      ],
    )
    assert.ok(second.started_at > first.started_at)
  })

  test('a full sync says what it retired, and why it retired nothing', async () => {
    const { slug, id } = await newSite()
    const all = Array.from({ length: 20 }, (_, i) => product(`p${i}`))
    await push(slug, all, '&sync=full')
    await push(slug, all.slice(1), '&sync=full')
    await push(slug, all.slice(0, 3), '&sync=full')
    await push(slug, [], '&sync=full')
    await push(slug, [...all.slice(2), 'broken'], '&sync=full')
    const runs = await runsOf(id)
    assert.deepEqual(
      runs.map(({ sync, status, retired, not_retired, refusal }) => [sync, status, retired, not_retired, refusal]),
      [
        ['full', 'finished', 0, 2, 'unread'],
        ['full', 'finished', 0, 20, 'empty'],
        ['full', 'finished', 0, 17, 'too many'],
        ['full', 'finished', 1, 0, null],
        ['full', 'finished', 0, 0, null],
      ],
    )
    assert.match(runs[2].reason!, /nothing was retired.*max_retired=17/)
    assert.equal(runs[3].reason, null)
  })

  test('a dry run, and a delta without lines, leave nothing in the list', async () => {
    const { slug, id } = await newSite()
    await push(slug, [product('a')], '&dry_run=true')
    await push(slug, [])
    assert.deepEqual(await runsOf(id), [])
  })

  test('a push whose sender leaves in the middle is listed as broken off, with what it stored', async () => {
    const { slug, id } = await newSite()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const leaving = new AbortController()
    const lines = Array.from({ length: 250 }, (_, i) => `${JSON.stringify(product(`s${i}`))}\n`)
    const answered = fetch(`${service.service.url}${PRODUCTS}/bulk?site_id=${slug}&sync=full`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/x-ndjson' },
      body: readable,
      duplex: 'half',
      signal: leaving.signal,
    })
    void writer.write(Buffer.from(lines.join('')))
    const answer = await answered
    await answer.body!.getReader().read()
    assert.deepEqual(
      (await runsOf(id)).map(({ status }) => status),
      ['running'],
    )
    leaving.abort()
    let [run] = await runsOf(id)
    while (run.status === 'running') [run] = await runsOf(id)
    assert.deepEqual([run.status, run.retired, run.refusal], ['broken_off', 0, null])
    assert.ok(run.created >= 200, `${run.created} are stored`)
  })

  test('a push of nothing but broken lines ends early, and says so', async () => {
    const { slug, id } = await newSite()
    await push(
      slug,
      Array.from({ length: 10_300 }, () => 'x'),
    )
    const [run] = await runsOf(id)
    assert.deepEqual([run.status, run.refusal], ['broken_off', 'useless'])
    assert.match(run.reason!, /More than 10000 lines/)
    assert.equal(run.failures.length, 10)
  })

  test('pages of the list neither miss nor repeat a run', async () => {
    const { slug, id } = await newSite()
    for (let i = 0; i < 5; i++) await push(slug, [product(`n${i}`)])
    const all = (await runsOf(id)).map((run) => run.id)
    const paged: string[] = []
    let path: string | undefined = `${SITES}/${id}/sync-runs?limit=2`
    while (path !== undefined) {
      const { body, headers } = await service.call('GET', path)
      paged.push(...body.map((run: ProductSyncRun) => run.id))
      path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(paged, all)
    assert.equal(all.length, 5)
  })

  test('a site keeps its newest runs, and a flood of small pushes leaves the full syncs', async () => {
    const { slug, id } = await newSite()
    await push(slug, [product('a')], '&sync=full')
    await push(slug, [product('a')])
    const { queries } = service.database
    const [delta] = await queries
      .selectFrom('product_sync_runs')
      .selectAll()
      .where('site_id', '=', id)
      .where('is_full', '=', 0)
      .execute()
    // As 600 pushes would leave them.
    const flood = Array.from({ length: 600 }, (_, i) => ({ ...delta, id: `${delta.id.slice(0, -4)}${1000 + i}` }))
    for (let at = 0; at < flood.length; at += 50)
      await queries
        .insertInto('product_sync_runs')
        .values(flood.slice(at, at + 50))
        .execute()
    await push(slug, [product('a', { title: 'newer' })])
    const runs = await runsOf(id)
    assert.equal(runs.filter(({ sync }) => sync === 'delta').length, 500)
    assert.equal(runs.filter(({ sync }) => sync === 'full').length, 1)
    assert.equal(runs[0].updated, 1)
  })

  test('deleting an empty site deletes its runs', async () => {
    const { slug, id } = await newSite()
    await push(slug, [product('a')], '&sync=full')
    await push(slug, [product('b')], '&sync=full')
    const { body } = await service.call('GET', `${PRODUCTS}?site_id=${slug}`)
    for (const { id: productId } of body) await service.call('DELETE', `${PRODUCTS}/${productId}`)
    assert.equal((await service.call('DELETE', `${SITES}/${id}`)).status, 204)
    assert.equal((await service.call('GET', `${SITES}/${id}/sync-runs`)).status, 404)
  })
})
