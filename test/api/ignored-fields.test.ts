import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DATABASES } from '../support/databases.ts'
import { type Answer, type TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const BASE = '/api/knowledge/knowledge-entries'
const STRICT = { prefer: 'handling=strict' }

describe('fields that nothing reads', () => {
  let service: TestService
  let category: string

  before(async () => {
    service = await joinService(DATABASES[0])
    category = await service.category()
  })
  after(() => service.stop())

  const entry = (fields: object = {}) => ({
    title: 'A title',
    content: 'Some content',
    category_id: category,
    ...fields,
  })
  const ignored = ({ headers }: Answer): string[] | null =>
    headers.get('x-ignored')?.split(', ').map(decodeURIComponent) ?? null
  const placesOf = ({ body }: Answer): string[] => body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
  const sendLine = (line: object, path: string, headers: object) =>
    service.call('POST', path, {
      body: JSON.stringify(line),
      headers: { 'content-type': 'application/x-ndjson', ...headers },
    })

  test('of a body are named in the answer, never with their values', async () => {
    const body = entry({ visibilty: 'public', 'größe, "x"': 'secret', tags: ['a'] })
    const answer = await service.call('POST', BASE, { body })
    assert.deepEqual([answer.status, ignored(answer)], [201, ['visibilty', 'größe, "x"']])
    assert.doesNotMatch([...answer.headers].join('\n'), /secret|public/)
    assert.equal(answer.headers.get('preference-applied'), null)
    const clean = await service.call('POST', BASE, { body: entry({ metadata: { anything: { goes: 1 } } }) })
    assert.deepEqual([clean.status, clean.headers.has('x-ignored')], [201, false])
  })

  test('of a query are named too, also where a route has no parameters', async () => {
    const list = await service.call('GET', `${BASE}?limit=1&lanugage=de&tags=x&tags=y`)
    assert.deepEqual([list.status, ignored(list)], [200, ['lanugage', 'tags']])
    const categories = await service.call('GET', `/api/knowledge/categories/${category}?deep=1`)
    assert.deepEqual([categories.status, ignored(categories)], [200, ['deep']])
    const both = await service.call('POST', `${BASE}?dry_run=true`, { body: entry({ titel: 'x' }) })
    assert.deepEqual([both.status, ignored(both)], [201, ['dry_run', 'titel']])
  })

  test('are named twenty at most, in a header of bounded length', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field-${i}`, i]))
    const answer = await service.call('POST', BASE, { body: entry(many) })
    assert.deepEqual([answer.status, ignored(answer)?.length], [201, 20])
    const long = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}${'漢'.repeat(1_000)}`, i]))
    const bounded = await service.call('POST', BASE, { body: entry(long) })
    assert.equal(bounded.status, 201)
    assert.ok(bounded.headers.get('x-ignored')!.length < 3_000)
  })

  test('are named beside the faults of a refused body', async () => {
    const { title, ...rest } = entry()
    const answer = await service.call('POST', BASE, { body: { ...rest, titel: title } })
    assert.deepEqual([answer.status, placesOf(answer), ignored(answer)], [422, ['body.title'], ['titel']])
  })

  test('are refused where the request prefers that, with their names and all other faults', async () => {
    const body = entry({ visibilty: 'public', category_id: '00000000-0000-7000-8000-000000000000' })
    const answer = await service.call('POST', BASE, { body, headers: STRICT })
    assert.deepEqual([answer.status, placesOf(answer)], [422, ['body.category_id', 'body.visibilty']])
    const { msg, type } = answer.body.detail[1]
    assert.equal(type, 'extra_forbidden')
    assert.match(msg, /^Extra inputs are not permitted; there is title, content, .*visibility/)
    assert.equal(answer.headers.get('preference-applied'), 'handling=strict')
    const missing = await service.call('POST', BASE, { body: { content: 'c', titel: 'x' }, headers: STRICT })
    assert.deepEqual(placesOf(missing), ['body.title', 'body.category_id', 'body.titel'])
    const list = await service.call('GET', `${BASE}?lanugage=de`, { headers: STRICT })
    assert.deepEqual([list.status, placesOf(list)], [422, ['query.lanugage']])
    const none = await service.call('GET', `/api/knowledge/categories/${category}?deep=1`, { headers: STRICT })
    assert.deepEqual([none.status, none.body.detail[0].msg], [422, 'Extra inputs are not permitted; there are none'])
    const stored = (await service.call('GET', `${BASE}?limit=1000`)).body as { visibility: string }[]
    assert.ok(stored.every(({ visibility }) => visibility === 'internal'))
  })

  test('are refused whatever else the request prefers, and the answer to a good request says that it applied the preference', async () => {
    for (const prefer of ['handling=strict', 'return=minimal, Handling="strict"; x=1', 'wait=1,handling = strict']) {
      const refused = await service.call('POST', BASE, { body: entry({ x: 1 }), headers: { prefer } })
      assert.equal(refused.status, 422, prefer)
    }
    for (const prefer of ['handling=lenient', 'strict', 'handling=strictly', 'nohandling=strict']) {
      const taken = await service.call('POST', BASE, { body: entry({ x: 1 }), headers: { prefer } })
      assert.deepEqual([taken.status, taken.headers.get('preference-applied')], [201, null], prefer)
    }
    const good = await service.call('POST', BASE, { body: entry(), headers: STRICT })
    assert.deepEqual([good.status, good.headers.get('preference-applied')], [201, 'handling=strict'])
  })

  test('of lines in a bulk are refused only where the request prefers that, each in the answer to its line', async () => {
    const line = entry({ visibilty: 'public' })
    const lenient = await sendLine(line, `${BASE}/bulk`, {})
    assert.deepEqual([lenient.body.status, lenient.headers.get('x-ignored')], ['created', null])
    const strict = await sendLine(line, `${BASE}/bulk`, STRICT)
    assert.deepEqual([strict.status, strict.body.status, placesOf(strict)], [200, 'failed', ['body.visibilty']])
    await service.call('POST', '/api/knowledge/sites', { body: { slug: 'shop', name: 'Shop' } })
    const product = { title: 'Lamp', language: 'en', external_id: 'lamp', prize_current: 3 }
    const path = '/api/knowledge/products/bulk?site_id=shop'
    assert.equal((await sendLine(product, path, {})).body.status, 'created')
    const refused = await sendLine(product, path, STRICT)
    assert.deepEqual([refused.body.status, placesOf(refused)], ['failed', ['body.prize_current']])
  })
})
