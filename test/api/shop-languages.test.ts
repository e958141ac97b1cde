import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'
const SITES = '/api/knowledge/sites'

onEachDatabase('the language of products and sites', (kind) => {
  let service: TestService

  before(async () => {
    service = await joinService(kind)
    for (const language of ['de', 'de-AT', 'den', 'en', 'en-GB']) {
      const { status } = await write({ title: language, brand: 'Quitte', language })
      assert.equal(status, 201)
    }
  })
  after(() => service.stop())

  const write = (fields: object) =>
    service.call('POST', `${PRODUCTS}?site_id=default`, { body: { title: 'A title', language: 'de', ...fields } })
  const sendLine = async (fields: object) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const body = JSON.stringify({ title: 'A title', ...fields })
    return (await service.call('POST', `${PRODUCTS}/bulk?site_id=default`, { body, headers })).body
  }
  const titlesOf = (hits: { product: { title: string } }[]) => hits.map(({ product }) => product.title).sort()

  test('is stored in its canonical form, by every way of writing', async () => {
    assert.equal((await write({ language: 'EN' })).body.language, 'en')
    assert.equal((await write({ language: 'pt-br' })).body.language, 'pt-BR')
    assert.equal((await write({ language: 'deu' })).body.language, 'de')
    const { id } = await sendLine({ language: 'DE-at', external_id: 'line' })
    assert.equal((await service.call('GET', `${PRODUCTS}/${id}`)).body.language, 'de-AT')
    assert.equal((await sendLine({ language: 'de-AT', external_id: 'line' })).status, 'unchanged')
    const { body: site } = await service.call('POST', SITES, { body: { name: 'S', slug: 's', language: 'EN-gb' } })
    assert.equal(site.language, 'en-GB')
    const changed = await service.call('PATCH', `${SITES}/${site.id}`, { body: { language: 'IT' } })
    assert.equal(changed.body.language, 'it')
    await changeTenant(service.database, service.tenantId, { settings: { language: 'FR' } })
    const { body: french } = await service.call('POST', SITES, { body: { name: 'F', slug: 'f' } })
    assert.equal(french.language, 'fr')
    await changeTenant(service.database, service.tenantId, { settings: { language: 'de' } })
  })

  test('that is no language tag of at most five characters is a fault', async () => {
    for (const [language, type] of [
      ['en_US', 'language_parsing'],
      ['d-', 'language_parsing'],
      ['german', 'string_too_long'],
      ['zh-Hans', 'string_too_long'],
      ['e', 'string_too_short'],
    ]) {
      const answers = [
        await write({ language }),
        await service.call('POST', SITES, { body: { name: 'S', slug: 'refused', language } }),
      ]
      for (const { status, body } of answers) {
        assert.deepEqual([status, body.detail[0].loc, body.detail[0].type], [422, ['body', 'language'], type], language)
      }
      assert.equal((await sendLine({ language })).detail[0].type, type)
    }
    const listed = await service.call('GET', `${PRODUCTS}?language=en_US`)
    assert.deepEqual([listed.status, listed.body.detail[0].loc], [422, ['query', 'language']])
    for (const path of [`${PRODUCTS}/search`, '/api/knowledge/search']) {
      const { status, body } = await service.call('POST', path, { body: { query: 'x', language: 'en_US' } })
      assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'language']], path)
    }
  })

  test('filters lists and searches without regard to its region', async () => {
    const german = ['de', 'de-AT']
    for (const language of ['de', 'DE', 'de-CH']) {
      const list = await service.call('GET', `${PRODUCTS}?brand=Quitte&include_total=true&language=${language}`)
      assert.deepEqual(list.body.map(({ title }: { title: string }) => title).sort(), german)
      assert.equal(list.headers.get('x-total-count'), '2')
      const request = { query: '', brand: 'Quitte' }
      const filter = { field: 'language', any_of: [language] }
      for (const body of [
        { ...request, language },
        { ...request, filter },
      ]) {
        const search = await service.call('POST', `${PRODUCTS}/search`, { body })
        assert.deepEqual(titlesOf(search.body.hits), german, JSON.stringify(body))
      }
      const combined = { query: 'Quitte', mode: 'keyword', sections: ['products'], language }
      const { body } = await service.call('POST', '/api/knowledge/search', { body: combined })
      assert.deepEqual(titlesOf(body.sections[0].hits), german)
    }
    const { body } = await service.call('POST', `${PRODUCTS}/search`, { body: { query: '', brand: 'Quitte' } })
    assert.deepEqual(body.facets.language, [
      { value: 'de', count: 2 },
      { value: 'en', count: 2 },
      { value: 'den', count: 1 },
    ])
  })
})
