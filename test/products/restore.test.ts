import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { exportLines } from '../../src/channels/cli/export/lines.ts'
import { ImportReport } from '../../src/channels/cli/import/report.ts'
import { TenantRestore } from '../../src/channels/cli/import/restore.ts'
import { Progress } from '../../src/channels/cli/progress.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { ndjsonLines } from '../../src/platform/lines/ndjson.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'

onAnyDatabase('sites and products in an export', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const exported = async (tenantId: string) => {
    let text = ''
    for await (const { line } of exportLines(service.database.queries, tenantId)) text += line
    // Only the header names the tenant.
    return text.slice(text.indexOf('\n') + 1)
  }
  const restore = async (tenantId: string, text: string) => {
    const embedders = new EmbedderPool({ provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null })
    const report = new ImportReport(new Progress('x', { write: () => undefined }))
    const job = { context: { database: service.database }, tenantId, embedders, report }
    const header = { kind: 'knowledge-export', format: 1, tenant: { id: 'default', name: 'x', settings: {} } }
    const taker = await TenantRestore.begin(header, 'test', job)
    const lines = []
    for await (const line of ndjsonLines(Readable.from([Buffer.from(`\n${text}`)]), 1e6)) lines.push(line)
    await taker.take(lines)
    return report.counts
  }
  const bulk = (site: string, lines: readonly object[]) =>
    service.call('POST', `/api/knowledge/products/bulk?site_id=${site}&sync=full`, {
      body: lines.map((line) => `${JSON.stringify({ language: 'de', ...line })}\n`).join(''),
      headers: { 'content-type': 'application/x-ndjson' },
    })

  test('a restored tenant has the same sites, assignments and products, retired ones too', async () => {
    const call = (method: string, path: string, body: object) =>
      service.call(method, `/api/knowledge/${path}`, { body })
    const shop = await call('POST', 'sites', { slug: 'shop', name: 'Shop', is_default: true, config: { a: 1 } })
    const category = await service.category()
    const entry = await call('POST', 'knowledge-entries', { title: 'E', content: 'E', category_id: category })
    await call('PUT', `sites/${shop.body.id}/knowledge`, { entry_ids: [entry.body.id] })
    await bulk('shop', [{ title: 'Gone', external_id: 'gone' }])
    await bulk('shop', [
      { title: 'Variant', external_id: 'v', parent_external_id: 'p', is_variant: true, similarity_text: 'near' },
      {
        title: 'Parent',
        external_id: 'p',
        price_current: '19.90',
        price_special: '9.90',
        price_special_from: '2026-01-01T00:00:00Z',
        price_special_until: '2026-02-01T00:00:00.5Z',
        rating_average: 4.5,
        properties: { x: [1] },
      },
    ])
    await bulk('default', [{ title: 'Elsewhere', external_id: 'v', sync_hash: 'h' }])

    const rule = { name: 'Rule', action: 'boost', brands: ['B'], from: '2026-01-01T00:00:00Z' }
    assert.equal((await call('POST', `sites/${shop.body.id}/merchandising`, rule)).status, 201)
    const words = { synonyms: [{ words: ['a', 'b'] }, { from: 'c', words: ['d e'] }], stop_words: ['the'] }
    assert.equal((await call('PUT', 'search-vocabulary', words)).status, 200)

    const text = await exported('default')
    assert.deepEqual(
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { kind: string }).kind)
        .filter((name) => !['category', 'entry', 'user'].includes(name)),
      ['site', 'site', 'product', 'product', 'product', 'product', 'merchandising_rule', 'search_vocabulary'],
    )
    const first = await restore(`copy-${kind.name.toLowerCase()}`, text)
    assert.equal(first.failed, 0)
    assert.equal(await exported(`copy-${kind.name.toLowerCase()}`), text)
    const again = await restore(`copy-${kind.name.toLowerCase()}`, text)
    assert.deepEqual([again.failed, again.created], [0, 0])
    const vectors = await service.database.queries
      .selectFrom('product_vectors')
      .select('product_id')
      .where('tenant_id', '=', `copy-${kind.name.toLowerCase()}`)
      .execute()
    assert.equal(vectors.length, 4)
  })

  test('an export without dates of special prices is restored', async () => {
    const older = (await exported('default')).replaceAll(/"price_special_(?:from|until)":(?:null|"[^"]*"),/g, '')
    assert.ok(!older.includes('price_special_from'))
    const { failed } = await restore(`older-${kind.name.toLowerCase()}`, older)
    assert.equal(failed, 0)
  })

  test('a site that exists here keeps its id, and restored products are assigned to it', async () => {
    const tenant = `used-${kind.name.toLowerCase()}`
    await service.tenant(tenant)
    const { key } = await service.user({ tenant, email: 'u@b.example' })
    const body = { title: 'Here', language: 'de', external_id: 'here' }
    const here = await service.call('POST', '/api/knowledge/products?site_id=default', { key, body })
    const counts = await restore(tenant, await exported('default'))
    assert.equal(counts.failed, 0)
    const { body: sites } = await service.call('GET', '/api/knowledge/sites', { key })
    assert.deepEqual(
      sites.map((site: { slug: string; is_default: boolean }) => [site.slug, site.is_default]),
      [
        ['default', true],
        ['shop', false],
      ],
    )
    const { body: products } = await service.call('GET', '/api/knowledge/products?site_id=default', { key })
    assert.deepEqual(products.map((row: { title: string }) => row.title).sort(), ['Elsewhere', 'Here'])
    assert.ok(products.every((row: { site_id: string }) => row.site_id === here.body.site_id))
  })
})
