import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'

const PRODUCTS = '/api/knowledge/products'
const SEARCH = '/api/knowledge/search'
const WORDS = ['oak', 'brass', 'linen', 'marble', 'walnut', 'copper', 'velvet', 'bamboo', 'ceramic', 'cotton']

interface Question {
  readonly path: string
  readonly body?: object
}

/**
 * Returns the requests that visitors of a shop can make, one for each part of search that could reveal words of
 * products.
 */
function questions(): Question[] {
  const typed = [
    'lamp oak quantum',
    'lamp oak photonmaster',
    'photonmaster quantum',
    'fotonmaster',
    'quantim lamp',
    'phot',
    'lamp oak qua',
    'lamp oak embargo',
    'brass november',
  ]
  const facets = ['brand', 'category', 'price', 'attributes.gleam'].map((field) => ({ field }))
  return typed.flatMap((query) => [
    ...['keyword', 'hybrid'].flatMap((mode) =>
      [true, false].map((prefix) => ({
        path: SEARCH,
        body: {
          query,
          mode,
          prefix,
          sections: ['products'],
          relevance: true,
          include_total: true,
          products: { facets },
        },
      })),
    ),
    { path: SEARCH, body: { query, sections: ['products'], typo_tolerance: false, relevance: true } },
    { path: SEARCH, body: { query, sections: ['products'], min_relevance: 0.5 } },
    { path: `${PRODUCTS}/search`, body: { query, mode: 'keyword' } },
    { path: `/api/knowledge/suggest?q=${encodeURIComponent(query)}` },
  ])
}

onAnyDatabase('products that a rule hides', (kind) => {
  let service: TestService
  let shop: string

  const put = async (site: string, products: readonly object[]): Promise<void> => {
    for (const [i, product] of products.entries()) {
      const body = { language: 'en', ...product }
      const { status } = await service.call('POST', `${PRODUCTS}?site_id=${site}`, { body })
      assert.equal(status, 201, `${i}`)
    }
  }
  const keyFor = async (sites: readonly string[]): Promise<string> => {
    const body = { name: 'Page', origins: ['https://shop.example'], sections: ['products'], sites }
    return (await service.call('POST', '/api/knowledge/api-keys/publishable', { body })).body.key
  }
  const hide = async (site: string, rule: object): Promise<void> => {
    const path = `/api/knowledge/sites/${site}/merchandising`
    const body = { name: 'Embargo', action: 'hide', ...rule }
    assert.equal((await service.call('POST', path, { body })).status, 201)
  }
  /** Returns the answers to all questions, without the parts that differ each time. */
  const answers = async (key: string): Promise<string[]> => {
    const all: string[] = []
    for (const { path, body } of questions()) {
      const answer = await service.call(body === undefined ? 'GET' : 'POST', path, { key, body })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const { search_log_id: _id, ...rest } = answer.body
      all.push(JSON.stringify([path, body, rest, answer.headers.get('x-did-you-mean')]))
    }
    return all
  }

  before(async () => {
    service = await TestService.start(kind, { RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '0' })
    for (const slug of ['shop', 'other', 'stars']) {
      const { body } = await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug } })
      if (slug === 'shop') shop = body.id
    }
    const lamps = WORDS.map((word, i) => ({
      title: `Lamp ${word} ${WORDS[(i + 3) % WORDS.length]}`,
      description: 'A lamp for the table',
      brand: 'Acme',
      price_current: `${10 + i}.00`,
    }))
    await put('shop', lamps)
    await put('other', [{ title: 'Chair of oak', brand: 'Acme' }])
  })
  after(() => service.stop())

  test('answers to visitors are the same byte for byte, whatever words the hidden products have', async () => {
    await hide(shop, { brands: ['Embargo'] })
    await hide(shop, { filter: { field: 'price', any_of: [499, 4_990] } })
    const keys = [await keyFor(['shop']), await keyFor(['shop', 'other'])]
    const before = [await answers(keys[0]), await answers(keys[1])]
    const hidden = Array.from({ length: 15 }, (_, i) => ({
      title: `Photonmaster Quantum ${WORDS[i % WORDS.length]} lamp`,
      description: 'Launch in november, a fotonmaster of quantum embargo',
      attributes: { gleam: `quantum ${i}` },
      ...(i % 2 === 0 ? { brand: 'Embargo' } : { brand: 'Acme', price_current: '499.00' }),
    }))
    await put('shop', hidden)
    const staff = await service.call('POST', `${PRODUCTS}/search`, { body: { query: 'photonmaster', mode: 'keyword' } })
    assert.equal(staff.body.total, 15, 'staff who name no site find them')
    for (const [i, key] of keys.entries()) {
      for (const [at, answer] of (await answers(key)).entries()) assert.equal(answer, before[i][at])
    }
  })

  test('a search over several sites names one where their rules compare too many numbers together', async () => {
    const slugs = ['north', 'south', 'west']
    for (const slug of slugs) {
      const { body } = await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug } })
      const filter = { any: Array.from({ length: 16 }, (_, i) => ({ field: 'price', any_of: [i] })) }
      for (let i = 0; i < 2; i++) await hide(body.id, { filter })
    }
    const [ofThree, ofTwo] = [await keyFor(slugs), await keyFor(slugs.slice(0, 2))]
    const search = (key: string, more: object = {}) =>
      service.call('POST', `${PRODUCTS}/search`, { key, body: { query: 'lamp', ...more } })
    const refused = await search(ofThree)
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'site_id']])
    assert.equal((await search(ofTwo)).status, 200)
    assert.equal((await search(ofThree, { site_id: 'north' })).status, 200)
  })

  test('hidden products with all words of a query do not crowd out visible ones', async () => {
    const stars = (await service.call('GET', '/api/knowledge/sites')).body.find(
      ({ slug }: { slug: string }) => slug === 'stars',
    ).id
    await hide(stars, { brands: ['Secret'] })
    const lamp = (brand: string) => ({ title: 'Nebula lamp', brand })
    // None of these has both words. Search takes those with the rarer word only while fewer than ten have both.
    await put(
      'stars',
      Array.from({ length: 9 }, () => ({ title: 'Nebula light', brand: 'Acme' })),
    )
    await put(
      'stars',
      Array.from({ length: 30 }, () => ({ title: 'Reading lamp', brand: 'Acme' })),
    )
    const total = async (): Promise<number> => {
      const body = { query: 'Nebula lamp', mode: 'keyword', site_id: 'stars' }
      return (await service.call('POST', `${PRODUCTS}/search`, { body })).body.total
    }
    assert.equal(await total(), 9)
    await put(
      'stars',
      Array.from({ length: 10 }, () => lamp('Secret')),
    )
    assert.equal(await total(), 9)
    await put(
      'stars',
      Array.from({ length: 10 }, () => lamp('Acme')),
    )
    assert.equal(await total(), 10, 'visible ones do')
  })
})
