import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'
const RICH = '/api/knowledge/search'
const UNKNOWN = '01900000-0000-7000-8000-000000000000'

onAnyDatabase('product filters', (kind) => {
  let service: TestService
  const sites: Record<string, string> = {}

  before(async () => {
    service = await joinService(kind)
    await changeTenant(service.database, service.tenantId, { settings: { variantStrategy: 'all' } })
    for (const slug of ['one', 'two']) {
      sites[slug] = (await service.call('POST', '/api/knowledge/sites', { body: { name: slug, slug } })).body.id
    }
    const product = async (title: string, fields: object, site = 'one') => {
      const body = { title, language: 'de', external_id: title, ...fields }
      const { status } = await service.call('POST', `${PRODUCTS}?site_id=${site}`, { body })
      assert.equal(status, 201)
    }
    await product('Jacke', { is_parent: true })
    await product('Jacke blau', { is_variant: true, parent_external_id: 'Jacke' })
    await product('Paket', { is_parent: true, is_variant: true })
    await product('Treppe', { price_on_request: true })
    await product('Zaun', { price_current: 5 }, 'two')
  })
  after(() => service.stop())

  const titlesFor = async (filter: object): Promise<string> => {
    const { status, body } = await service.call('POST', `${PRODUCTS}/search`, {
      body: { filter, sort: { field: 'title' } },
    })
    assert.equal(status, 200, JSON.stringify(body))
    return body.hits.map(({ product }: { product: { title: string } }) => product.title).join(', ')
  }

  test('ask for parents, for variants, and for prices on request', async () => {
    const truth = (field: string, ...any_of: boolean[]) => titlesFor({ field, any_of })
    assert.equal(await truth('is_parent', true), 'Jacke, Paket')
    assert.equal(await truth('is_parent', false), 'Jacke blau, Treppe, Zaun')
    assert.equal(await truth('is_variant', true), 'Jacke blau, Paket')
    assert.equal(await truth('is_variant', false), 'Jacke, Treppe, Zaun')
    assert.equal(await truth('price_on_request', true), 'Treppe')
    assert.equal(await truth('price_on_request', true, false), 'Jacke, Jacke blau, Paket, Treppe, Zaun')
    const parts = [{ field: 'is_parent', any_of: [false] }, { not: { field: 'price_on_request', any_of: [true] } }]
    assert.equal(await titlesFor({ all: parts }), 'Jacke blau, Zaun')
    await service.call('POST', `${PRODUCTS}?site_id=one`, {
      body: { title: 'Treppe', external_id: 'Treppe', language: 'de' },
    })
    assert.equal(await truth('price_on_request', true), '')
  })

  test('refuse values that are not true or false, at their place', async () => {
    const filter = { any: [{ field: 'is_variant', any_of: [true, 'true'] }] }
    const { status, body } = await service.call('POST', `${PRODUCTS}/search`, { body: { filter } })
    const [{ loc, type }] = body.detail
    assert.deepEqual([status, loc.join('.'), type], [422, 'body.filter.any.0.any_of.1', 'bool_type'])
    const sorted = await service.call('POST', `${PRODUCTS}/search`, { body: { sort: { field: 'is_variant' } } })
    assert.deepEqual([sorted.status, sorted.body.detail[0].loc], [422, ['body', 'sort', 'field']])
  })

  test('find the products of a category, and count them, however long its path is', async () => {
    const category = ['Hardware', 'Tools'.repeat(12), 'Saws'.repeat(14)].join(' > ')
    const body = { title: 'Säge', language: 'de', external_id: 'saw', category }
    assert.equal((await service.call('POST', `${PRODUCTS}?site_id=two`, { body })).status, 201)
    const { body: answer } = await service.call('POST', RICH, {
      body: {
        sections: ['products'],
        products: {
          filter: { field: 'category', under: [category] },
          facets: [{ field: 'category', hierarchy: true }],
        },
      },
    })
    const [{ total, facets }] = answer.sections
    assert.equal(total, 1)
    assert.ok(facets[0].values.some(({ value }: { value: string }) => value === category))
    const [{ product }] = answer.sections[0].hits
    assert.equal((await service.call('DELETE', `${PRODUCTS}/${product.id}`)).status, 204)
  })

  test('refuse a site that does not exist, each at its place', async () => {
    const both = { field: 'site_id', any_of: [sites.one, sites.two.toUpperCase()] }
    assert.equal(await titlesFor(both), 'Jacke, Jacke blau, Paket, Treppe, Zaun')
    const filter = { not: { field: 'site_id', any_of: [sites.two, UNKNOWN] } }
    const faults = async (path: string, body: object, key?: string) => {
      const answer = await service.call('POST', path, { body, key })
      assert.equal(answer.status, 422, JSON.stringify(answer.body))
      return answer.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`)
    }
    const at = (place: string) => [`${place}.not.any_of.1 reference_not_found`]
    assert.deepEqual(await faults(`${PRODUCTS}/search`, { filter }), at('body.filter'))
    const rich = { query: 'x', sections: ['products'], products: { filter } }
    assert.deepEqual(await faults(RICH, rich), at('body.products.filter'))
  })

  test('of another tenant do not tell whether a site exists', async () => {
    const other = await service.tenant('other')
    const key = await service.key(['products:read'], other)
    const body = { filter: { field: 'site_id', any_of: [sites.one] } }
    const { status } = await service.call('POST', `${PRODUCTS}/search`, { key, body })
    assert.equal(status, 422)
  })

  test('of a publishable key name only the sites that it is bound to', async () => {
    const origin = 'https://shop.example'
    const issued = await service.call('POST', '/api/knowledge/api-keys/publishable', {
      body: { name: 'page', origins: [origin], sites: ['one'], sections: ['products', 'knowledge'] },
    })
    assert.equal(issued.status, 201, JSON.stringify(issued.body))
    const asking = (path: string, site: string, sections: object) =>
      service.call('POST', path, {
        key: issued.body.key,
        headers: { origin },
        body: { query: 'Jacke', filter: { field: 'site_id', any_of: [site] }, ...sections },
      })
    for (const [path, sections] of [
      [`${PRODUCTS}/search`, {}],
      [RICH, { sections: ['products'] }],
    ] as const) {
      const ask = (site: string) => asking(path, site, sections)
      assert.equal((await ask(sites.one)).status, 200, path)
      const refused = await Promise.all([sites.two, UNKNOWN].map(ask))
      for (const { status, body } of refused) {
        assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'filter', 'any_of', '0']], path)
      }
      assert.deepEqual(refused[0].body, refused[1].body)
    }
    // Of entries it learns no site at all.
    const ofEntries = await asking('/api/knowledge/knowledge-entries/search', sites.one, {})
    assert.deepEqual([ofEntries.status, ofEntries.body.detail[0].loc], [422, ['body', 'filter', 'field']])
  })
})
