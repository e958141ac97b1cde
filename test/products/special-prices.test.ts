import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { found, until } from '../support/patience.ts'

const PRODUCTS = '/api/knowledge/products'
const HOUR_MS = 3_600_000

const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString()

onAnyDatabase('special prices', (kind) => {
  let service: TestService
  const put = (name: string, fields: object) =>
    service.call('POST', `${PRODUCTS}?site_id=default`, {
      body: { title: `Lampe ${name}`, language: 'de', external_id: name, price_current: '21.00', ...fields },
    })
  const search = async (body: object) => {
    const { status, body: answer } = await service.call('POST', `${PRODUCTS}/search`, { body: { limit: 100, ...body } })
    assert.equal(status, 200, JSON.stringify(answer))
    return answer
  }
  const foundBy = async (body: object): Promise<string[]> =>
    (await search(body)).hits.map((hit: { product: { external_id: string } }) => hit.product.external_id).sort()

  before(async () => {
    service = await joinService(kind)
    const special = { price_special: '11.00' }
    await put('always', special)
    await put('running', { ...special, price_special_from: fromNow(-HOUR_MS), price_special_until: fromNow(HOUR_MS) })
    await put('over', { ...special, price_special_until: fromNow(-HOUR_MS) })
    await put('coming', { ...special, price_special_from: fromNow(HOUR_MS) })
    await put('none', {})
    await put('zero', { price_special: 0 })
  })
  after(() => service.stop())

  test('a filter by price uses the price that people pay now', async () => {
    assert.deepEqual(await foundBy({ query: 'Lampe', price_max: 15 }), ['always', 'running'])
    assert.deepEqual(await foundBy({ query: 'Lampe', price_min: 15 }), ['coming', 'none', 'over', 'zero'])
    assert.deepEqual(await foundBy({ price_min: 11, price_max: 11 }), ['always', 'running'])
  })

  test('facets use the price that people pay now', async () => {
    const { price } = (await search({ query: 'Lampe' })).facets
    assert.deepEqual(price, {
      count: 6,
      min: '11',
      max: '21',
      ranges: [
        { over: '10', up_to: '20', count: 2 },
        { over: '20', up_to: '50', count: 4 },
      ],
    })
  })

  test('every answer has the price that people pay now', async () => {
    const { hits } = await search({ query: 'Lampe' })
    const said = Object.fromEntries(
      hits.map(({ product }: { product: Record<string, string> }) => [product.external_id, product.price_effective]),
    )
    const expected = { always: '11.00', running: '11.00', over: '21.00', coming: '21.00', none: '21.00', zero: '21.00' }
    assert.deepEqual(said, expected)
    const { body: list } = await service.call('GET', PRODUCTS)
    assert.deepEqual(
      Object.fromEntries(list.map((each: Record<string, string>) => [each.external_id, each.price_effective])),
      expected,
    )
  })

  test('a special price that begins between two searches is found and shown by the second', async () => {
    const cheap = () => search({ query: 'Lampe soon', price_max: 6 })
    const price = async () => {
      const { hits } = await search({ query: 'Lampe soon' })
      const hit = hits.find(({ product }: { product: { external_id: string } }) => product.external_id === 'soon')
      return hit.product.price_effective
    }
    /**
     * Stores a price that begins later, and fails unless searches before then show the former one.
     * @returns when the price begins, or null where it began before the searches had ended
     */
    const beforeIt = async (aheadMs: number): Promise<number | null> => {
      const from = fromNow(aheadMs)
      await put('soon', { price_special: '5.00', price_special_from: from })
      const answers = [(await cheap()).total, await price()]
      if (Date.now() >= Date.parse(from)) return null
      assert.deepEqual(answers, [0, '21.00'])
      return Date.parse(from)
    }
    // On a slow machine the price has to begin later.
    let aheadMs = 200
    const beginsAt = await found(() => beforeIt((aheadMs *= 2)), 'the searches end before the price begins')
    await until(() => Date.now() > beginsAt, 'the price begins')
    assert.deepEqual([(await cheap()).total, await price()], [1, '5.00'])
    await service.call('DELETE', `${PRODUCTS}/${(await search({ query: 'Lampe soon' })).hits[0].product.id}`)
  })

  test('dates are answered in UTC, and an end before the beginning is refused at its field', async () => {
    const dates = { price_special_from: '2026-01-01T00:00:00+01:00', price_special_until: null }
    const { body } = await put('none', { price_special: '1', ...dates })
    assert.deepEqual([body.price_special_from, body.price_special_until], ['2025-12-31T23:00:00.000Z', null])
    await put('none', {})
    const wrong = await put('x', {
      price_special_from: '2026-02-01T00:00:00Z',
      price_special_until: '2026-01-01T00:00:00Z',
    })
    assert.equal(wrong.status, 422)
    assert.deepEqual(wrong.body.detail[0].loc, ['body', 'price_special_until'])
    const noDate = await put('x', { price_special_from: 'tomorrow' })
    assert.deepEqual([noDate.status, noDate.body.detail[0].loc], [422, ['body', 'price_special_from']])
  })
})
