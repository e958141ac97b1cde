import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { compileCheck } from '../../src/platform/contract/check.ts'
import { ProductBulkResult } from '../../src/shop/products/contract.ts'
import { auditedActions } from '../support/audited.ts'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'
const NDJSON = { 'content-type': 'application/x-ndjson' }
const checkResult = compileCheck(ProductBulkResult, ['body'])

interface Line {
  line: number
  status: string
  id?: string
  external_id?: string
  watermark?: string
  detail?: { loc: string[]; type: string }[]
}

interface Product {
  id: string
  external_id: string
  version: number
  [field: string]: unknown
}

onEachDatabase('changing products in bulk', (kind) => {
  let service: TestService
  let sites = 0
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const send = async (
    site: string,
    lines: readonly (object | string)[],
    query = '',
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const body = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
    const path = `${PRODUCTS}/bulk?site_id=${site}${query}`
    const answer = await service.call('POST', path, { body, headers: { ...NDJSON, ...headers } })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
  }
  const patch = async (site: string, lines: readonly (object | string)[], query = '', headers = {}) => {
    const answers = await send(site, lines, `&mode=patch${query}`, headers)
    for (const answer of answers) if (answer.status !== 'finished') assert.equal(checkResult(answer), null)
    return answers
  }
  /** Makes a site with products of a feed, and returns its slug. */
  const shop = async (...externalIds: readonly string[]) => {
    const slug = `patched-${++sites}`
    await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug } })
    const lines = externalIds.map((external_id) => ({
      external_id,
      title: `Product ${external_id}`,
      language: 'en',
      brand: 'Brand',
      price_current: '5',
      attributes: { a: 1, b: { c: 2 } },
      sync_hash: `hash of ${external_id}`,
    }))
    if (lines.length > 0) await send(slug, lines)
    return slug
  }
  const product = async (site: string, externalId: string): Promise<Product | undefined> =>
    (await service.call('GET', `${PRODUCTS}?site_id=${site}&external_id=${externalId}`)).body[0]
  const said = (answers: readonly Line[]) =>
    answers.map(({ line, status, external_id, detail = [] }) =>
      [line, status, external_id, ...detail.map(({ loc, type }) => `${type} ${loc.join('.')}`)].join(' '),
    )

  test('each line changes what it has, and a bad or unknown one affects only itself', async () => {
    const site = await shop('a', 'b')
    const before = (await product(site, 'a'))!
    const answers = await patch(site, [
      '{"external_id":"a","price_current":12345678901234567890.10,"attributes":{"a":null,"b":{"d":3}}}',
      { external_id: 'nobody', price_current: 1 },
      { price_current: 1 },
      { external_id: 'b', title: null, price_current: 'x' },
      'no json',
      { external_id: 'b', price_special_from: '2026-02-01T00:00:00Z', price_special_until: '2026-01-01T00:00:00Z' },
      { external_id: 'b', parent_external_id: 'b' },
      { external_id: 'b', brand: null },
      { external_id: 'b', price_current: '5' },
    ])
    assert.deepEqual(said(answers), [
      '1 updated a',
      '2 failed nobody not_found body.external_id',
      '3 failed  missing body.external_id',
      '4 failed b string_type body.title decimal_parsing body.price_current',
      '5 failed  json_invalid body',
      '6 failed b value_error body.price_special_until',
      '7 failed b value_error body.parent_external_id',
      '8 updated b',
      '9 unchanged b',
    ])
    const { version, updated_at, last_synced_at, ...a } = (await product(site, 'a'))!
    assert.deepEqual(
      { ...before, price_current: '12345678901234567890.10', attributes: { b: { c: 2, d: 3 } }, sync_hash: null },
      {
        ...a,
        price_effective: before.price_effective,
        version: version - 1,
        updated_at: before.updated_at,
        last_synced_at: before.last_synced_at,
      },
    )
    assert.ok(
      String(updated_at) >= String(before.updated_at) && String(last_synced_at) >= String(before.last_synced_at),
    )
    assert.deepEqual([answers[0].id, (await product(site, 'b'))!.brand], [before.id, null])
    assert.equal(await product(site, 'nobody'), undefined)
  })

  test('lines that name the same product apply in order', async () => {
    const site = await shop('a')
    const lines = [
      { external_id: 'a', price_current: 1, attributes: { x: 1 } },
      { external_id: 'a', brand: 'B', attributes: { y: 2 }, sync_hash: 'new' },
      { external_id: 'a', price_current: 3, sync_hash: 'new' },
      { external_id: 'a', attributes: { x: null } },
    ]
    assert.deepEqual(said(await patch(site, lines)), ['1 updated a', '2 updated a', '3 unchanged a', '4 updated a'])
    const { price_current, brand, attributes, sync_hash, version } = (await product(site, 'a'))!
    assert.deepEqual(
      [price_current, brand, attributes, sync_hash, version],
      ['1', 'B', { a: 1, b: { c: 2 }, y: 2 }, null, 4],
    )
  })

  test('an equal hash means unchanged, another one is stored, and without one the next feed corrects the product', async () => {
    const site = await shop('a', 'b', 'c')
    const answers = await patch(site, [
      { external_id: 'a', price_current: 6, sync_hash: 'hash of a' },
      { external_id: 'b', price_current: 6, sync_hash: 'other' },
      { external_id: 'c', price_current: 6 },
    ])
    assert.deepEqual(said(answers), ['1 unchanged a', '2 updated b', '3 updated c'])
    const state = async (name: string) => {
      const { price_current, sync_hash } = (await product(site, name))!
      return [price_current, sync_hash]
    }
    assert.deepEqual(await state('a'), ['5', 'hash of a'])
    assert.deepEqual(await state('b'), ['6', 'other'])
    assert.deepEqual(await state('c'), ['6', null])
    const feed = { title: 'Product c', language: 'en', brand: 'Brand', price_current: 5, sync_hash: 'hash of c' }
    assert.deepEqual(said(await send(site, [{ external_id: 'c', ...feed }])), ['1 updated c'])
    assert.deepEqual(await state('c'), ['5', 'hash of c'])
  })

  test('products keep their source, and those that a full sync retired are not found', async () => {
    const site = await shop('a', 'b')
    assert.deepEqual(said(await patch(site, [{ external_id: 'b', brand: 'X' }], '&source=api')), ['1 updated b'])
    const { source, last_synced_at } = (await product(site, 'b'))!
    assert.equal(source, 'feed')
    await until(() => Date.now() > Date.parse(String(last_synced_at)), 'the clock goes on')
    await send(site, [{ external_id: 'a', title: 'Product a', language: 'en' }], '&sync=full')
    assert.deepEqual(said(await patch(site, [{ external_id: 'b', brand: 'Y' }])), [
      '1 failed b not_found body.external_id',
    ])
    assert.equal(await product(site, 'b'), undefined)
  })

  test('a dry run tells what would change, and changes nothing', async () => {
    const site = await shop('a')
    const lines = [{ external_id: 'a', price_current: 6 }, { external_id: 'a', brand: 'Brand' }, { external_id: 'x' }]
    const expected = ['1 updated a', '2 unchanged a', '3 failed x not_found body.external_id']
    assert.deepEqual(said(await patch(site, lines, '&dry_run=true')), expected)
    const { price_current, version } = (await product(site, 'a'))!
    assert.deepEqual([price_current, version], ['5', 1])
    assert.deepEqual(said(await patch(site, lines)), expected)
  })

  test('a sender that reads no answer while it sends gets the failed lines and the counts', async () => {
    const site = await shop('a', 'b')
    const lines = [{ external_id: 'a', brand: 'X' }, { external_id: 'x' }, { external_id: 'b', brand: 'Brand' }]
    const [failed, { watermark, ...last }] = await patch(site, lines, '&answers=failed')
    assert.deepEqual([failed.line, failed.external_id], [2, 'x'])
    assert.equal(typeof watermark, 'string')
    assert.deepEqual(last, { status: 'finished', retired: 0, created: 0, updated: 1, unchanged: 1, failed: 1 })
  })

  test('undeclared fields are refused where the request prefers that, those of an answer are not', async () => {
    const site = await shop('a')
    const line = { external_id: 'a', prize_current: 3 }
    assert.deepEqual(said(await patch(site, [line])), ['1 unchanged a'])
    const strict = { prefer: 'handling=strict' }
    assert.deepEqual(said(await patch(site, [line], '', strict)), ['1 failed a extra_forbidden body.prize_current'])
    const answered = { external_id: 'a', brand: 'New', id: 'x', version: 7, updated_at: 'never' }
    assert.deepEqual(said(await patch(site, [answered], '', strict)), ['1 updated a'])
  })

  test('the run is listed with its counts, and each change has one audit record', async () => {
    const site = await shop('a', 'b')
    const { id } = (await product(site, 'a'))!
    await patch(site, [{ external_id: 'a', brand: 'X' }, { external_id: 'b' }, { external_id: 'x' }])
    const { site_id } = (await product(site, 'a'))!
    const [run] = (await service.call('GET', `/api/knowledge/sites/${String(site_id)}/sync-runs`)).body
    assert.deepEqual(
      [run.sync, run.status, run.created, run.updated, run.unchanged, run.failed, run.failures[0].external_id],
      ['delta', 'finished', 0, 1, 1, 1, 'x'],
    )
    assert.deepEqual(await auditedActions(service.database.queries, id), ['create', 'update'])
  })

  test('hundreds of lines are stored in several transactions', async () => {
    const names = Array.from({ length: 450 }, (_, i) => `p-${i}`)
    const site = await shop(...names)
    const answers = await patch(
      site,
      names.map((external_id, i) => ({ external_id, price_current: i })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map((_, i) => (i === 5 ? 'unchanged' : 'updated')),
    )
    assert.equal((await product(site, 'p-449'))!.price_current, '449')
  })
})
