import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import type { ProductBrowseAnswer } from '../../src/shop/products/browse/contract.ts'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { found } from '../support/patience.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'

onAnyDatabase('looking through all products', (kind) => {
  let service: TestService
  let site: string
  before(async () => {
    service = await joinService(kind)
    site = (await service.call('POST', '/api/knowledge/sites', { body: { slug: 'shop', name: 'Shop' } })).body.id
    const products = Array.from({ length: 130 }, (_, i) => ({
      title: `Bohrer ${i}`,
      language: 'de',
      external_id: `b${i}`,
      brand: i % 2 === 0 ? 'Bosch' : 'Makita',
      category: i % 10 === 0 ? 'Werkzeug > Bohrer > Stein' : 'Werkzeug > Bohrer',
      price_current: i,
    }))
    const family = [
      { title: 'Handschuh', language: 'de', external_id: 'h', is_parent: true, category: 'Kleidung' },
      { title: 'Handschuh L', language: 'de', external_id: 'hl', parent_external_id: 'h', is_variant: true },
    ]
    const body = [...products, ...family].map((line) => `${JSON.stringify(line)}\n`).join('')
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.call('POST', `${PRODUCTS}/bulk?site_id=shop`, { body, headers })
  })
  after(() => service.stop())

  const browse = async (body: object): Promise<ProductBrowseAnswer> => {
    const answer = await service.call('POST', `${PRODUCTS}/browse`, { body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const titles = ({ hits }: ProductBrowseAnswer) => hits.map(({ product }) => product.title)

  test('without a query all products are there, page after page, each once', async () => {
    const seen = new Set<string>()
    for (let offset = 0; offset < 132; offset += 50) {
      const { total, hits } = await browse({ site_id: 'shop', offset, fields: ['id', 'title'] })
      assert.equal(total, 132)
      for (const { product } of hits) seen.add(product.id!)
    }
    assert.equal(seen.size, 132)
  })

  test('filters, order and facets work without a query, and a choice does not narrow its own facet', async () => {
    const filter = {
      all: [
        { field: 'brand', any_of: ['Bosch'] },
        { field: 'category', under: ['Werkzeug > Bohrer'] },
      ],
    }
    const answer = await browse({
      site_id: 'shop',
      filter,
      sort: { field: 'price', order: 'desc' },
      facets: [{ field: 'brand' }, { field: 'category', hierarchy: true }],
      limit: 3,
      fields: ['title'],
    })
    assert.deepEqual(titles(answer), ['Bohrer 128', 'Bohrer 126', 'Bohrer 124'])
    assert.equal(answer.total, 65)
    const [brand, category] = answer.facets
    assert.deepEqual(
      brand.values!.map(({ value, count }) => [value, count]),
      [
        ['Bosch', 65],
        ['Makita', 65],
      ],
    )
    const levels = category.values!.map(({ name, count }) => [name, count])
    assert.deepEqual(levels, [
      ['Werkzeug', 65],
      ['Bohrer', 65],
      ['Stein', 13],
    ])
  })

  test('variants and products that a rule hides are listed, although settings keep them from searches', async () => {
    await changeTenant(service.database, service.tenantId, { settings: { variantStrategy: 'parents_only' } })
    const rule = { name: 'Gone', action: 'hide', brands: ['Makita'] }
    await service.call('POST', `/api/knowledge/sites/${site}/merchandising`, { body: rule })
    const gloves = await browse({ query: 'Handschuh', site_id: 'shop' })
    assert.deepEqual(titles(gloves).sort(), ['Handschuh', 'Handschuh L'])
    const query = { query: 'Bohrer', site_id: 'shop' }
    assert.equal((await service.call('POST', `${PRODUCTS}/search`, { body: query })).body.total, 65)
    assert.equal((await browse(query)).total, 130)
  })

  test('browsing is not in the search log', async () => {
    /** Searches, and returns how many searches are logged once this one is. */
    const logged = async (): Promise<number> => {
      const search = { query: 'Bohrer', site_id: 'shop' }
      const { body } = await service.call('POST', `${PRODUCTS}/search`, { body: search })
      return found(async () => {
        const rows = await service.database.queries
          .selectFrom('search_log')
          .select('id')
          .where('tenant_id', '=', service.tenantId)
          .execute()
        return rows.some(({ id }) => id === body.search_log_id) ? rows.length : null
      }, 'the search is logged')
    }
    const before = await logged()
    await browse({ query: 'Bohrer', site_id: 'shop' })
    await browse({ site_id: 'shop' })
    assert.equal(await logged(), before + 1)
  })

  test('faults of filter, order and facets are named at their place', async () => {
    for (const [body, place] of [
      [{ filter: { field: 'nothing' } }, 'filter'],
      [{ sort: { field: 'nothing' } }, 'sort'],
      [{ facets: [{ field: 'nothing' }] }, 'facets'],
      [{ site_id: 'elsewhere' }, 'site_id'],
    ] as const) {
      const answer = await service.call('POST', `${PRODUCTS}/browse`, { body })
      assert.equal(answer.status, 422)
      assert.deepEqual(answer.body.detail[0].loc.slice(0, 2), ['body', place])
    }
  })
})
