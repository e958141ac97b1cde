import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  Contract,
  DateTime,
  Flag,
  FreeForm,
  Int,
  ListOf,
  Nullable,
  Num,
  OneOf,
  Text,
  Type,
  Uuid,
  UuidParams,
} from '../../src/platform/contract/schema.ts'
import { inTier } from '../support/tier.ts'
import { only, start } from './support.ts'

const ID = '0190a0b0-0000-7000-8000-000000000001'

const Step = Contract('Step', { title: Text(), minutes: Type.Optional(Int({ minimum: 0 })) })
const Thing = Contract('Thing', {
  title: Text({ maxLength: 5 }),
  category_id: Uuid(),
  kind: Type.Optional(OneOf(['a', 'b', 'c'], { default: 'a' })),
  parent_id: Type.Optional(Nullable(Uuid())),
  mode: Type.Optional(Nullable(OneOf(['x', 'y']))),
  count: Type.Optional(Int({ minimum: 1, maximum: 100, default: 10 })),
  ratio: Type.Optional(Nullable(Num({ minimum: -1, maximum: 1 }))),
  open: Type.Optional(Flag()),
  at: Type.Optional(DateTime()),
  tags: Type.Optional(ListOf(Text({ maxLength: 3 }), { minItems: 1, maxItems: 3 })),
  steps: Type.Optional(ListOf(Step)),
  first: Type.Optional(Nullable(Step)),
  price: Type.Optional(Type.Union([Num({ minimum: 0 }), Text({ pattern: '^\\d+$' })])),
  metadata: Type.Optional(FreeForm()),
})

const { send } = await start((app) => {
  app.route({
    method: 'POST',
    url: '/things',
    schema: { operationId: 'createThing', body: Thing, response: { 200: FreeForm() } },
    config: {},
    handler: (request) => request.body,
  })
  app.route({
    method: 'POST',
    url: '/things/:thing_id',
    schema: {
      operationId: 'changeThing',
      params: UuidParams('thing_id'),
      querystring: Contract('Query', {
        limit: Type.Optional(Int({ minimum: 1, maximum: 100, default: 10 })),
        tag: Type.Optional(ListOf(Text({ maxLength: 3 }))),
        open: Type.Optional(Flag()),
        ratio: Type.Optional(Num()),
        parent_id: Type.Optional(Nullable(Uuid())),
      }),
      headers: Contract('Headers', { 'x-level': Type.Optional(Int({ minimum: 1 })) }),
      body: Contract('Name', { name: Text() }),
    },
    handler: ({ params, query, headers, caller }) => ({
      params,
      query,
      level: headers['x-level'],
      audit: caller.audit,
    }),
  })
})

const good = { title: 'Title', category_id: ID }
const check = async (change: Record<string, unknown>) =>
  (await send('POST', '/things', { json: { ...good, ...change } })).detail

test('a good body passes, is completed with defaults and loses undeclared keys', async () => {
  const answer = await send('POST', '/things', { json: { ...good, category_id: ID.toUpperCase(), unknown: 1 } })
  assert.deepEqual(answer.json, { ...good, kind: 'a', count: 10 })
})

test('each fault has the type, message and place that pydantic gives it', async () => {
  const cases: [Record<string, unknown>, string, string, string][] = [
    [{ title: undefined }, 'title', 'missing', 'Field required'],
    [{ title: 5 }, 'title', 'string_type', 'Input should be a valid string'],
    [{ title: null }, 'title', 'string_type', 'Input should be a valid string'],
    [{ title: '' }, 'title', 'string_too_short', 'String should have at least 1 character'],
    [{ title: '123456' }, 'title', 'string_too_long', 'String should have at most 5 characters'],
    [{ category_id: 'zz' }, 'category_id', 'uuid_parsing', 'Input should be a valid UUID'],
    [{ parent_id: 'zz' }, 'parent_id', 'uuid_parsing', 'Input should be a valid UUID'],
    [{ kind: 'z' }, 'kind', 'enum', "Input should be 'a', 'b' or 'c'"],
    [{ kind: 5 }, 'kind', 'enum', "Input should be 'a', 'b' or 'c'"],
    [{ mode: 'z' }, 'mode', 'enum', "Input should be 'x' or 'y'"],
    [{ count: '5' }, 'count', 'int_type', 'Input should be a valid integer'],
    [{ count: 1.5 }, 'count', 'int_from_float', 'Input should be a valid integer, got a number with a fractional part'],
    [{ count: 0 }, 'count', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    [{ count: 101 }, 'count', 'less_than_equal', 'Input should be less than or equal to 100'],
    [{ count: null }, 'count', 'int_type', 'Input should be a valid integer'],
    [{ ratio: '1' }, 'ratio', 'float_type', 'Input should be a valid number'],
    [{ ratio: -1.01 }, 'ratio', 'greater_than_equal', 'Input should be greater than or equal to -1'],
    [{ open: 'true' }, 'open', 'bool_type', 'Input should be a valid boolean'],
    [{ at: '2026-02-30T00:00:00Z' }, 'at', 'datetime_parsing', 'Input should be a valid datetime'],
    [{ tags: 'a' }, 'tags', 'list_type', 'Input should be a valid list'],
    [{ tags: [] }, 'tags', 'too_short', 'List should have at least 1 item after validation, not 0'],
    [{ tags: ['a', 'b', 'c', ''] }, 'tags', 'too_long', 'List should have at most 3 items after validation, not 4'],
    [{ tags: ['a', 'b', ''] }, 'tags.2', 'string_too_short', 'String should have at least 1 character'],
    [{ steps: [{ title: 'a' }, { minutes: 1 }] }, 'steps.1.title', 'missing', 'Field required'],
    [{ steps: [5] }, 'steps.0', 'dict_type', 'Input should be a valid dictionary'],
    [{ first: { title: '' } }, 'first.title', 'string_too_short', 'String should have at least 1 character'],
    [{ first: 5 }, 'first', 'dict_type', 'Input should be a valid dictionary'],
    [{ price: -1 }, 'price', 'greater_than_equal', 'Input should be greater than or equal to 0'],
    [{ price: 'x' }, 'price', 'string_pattern_mismatch', "String should match pattern '^\\d+$'"],
    [{ metadata: [] }, 'metadata', 'dict_type', 'Input should be a valid dictionary'],
  ]
  for (const [change, place, type, msg] of cases) {
    assert.deepEqual(await check(change), [{ loc: ['body', ...place.split('.')], msg, type }])
  }
})

test('null passes where it is allowed, in every form of nullable', async () => {
  assert.deepEqual(await check({ parent_id: null, mode: null, ratio: null, first: null }), [])
})

test('lengths count code points, not UTF-16 units', async () => {
  assert.deepEqual(await check({ title: '😀😀😀😀😀' }), [])
  assert.equal((await check({ title: '😀😀😀😀😀😀' }))[0].type, 'string_too_long')
})

test('all faults of a body are reported together, one per place, in the order of the contract', async () => {
  const json = { tags: ['', 5, 'zzzz'], first: {}, count: 0, kind: 9, title: '' }
  const { detail, text } = await send('POST', '/things', { json })
  const places = ['title', 'category_id', 'kind', 'count', 'tags.0', 'tags.1', 'tags.2', 'first.title']
  assert.deepEqual(
    detail.map(({ loc }) => loc.slice(1).join('.')),
    places,
  )
  assert.ok(!text.includes('zzzz'))
})

test('a body that is missing, null or not an object is reported at the body', async () => {
  assert.equal(only(await send('POST', '/things')), '422 body missing')
  assert.equal(only(await send('POST', '/things', { body: '[]' })), '422 body dict_type')
  assert.equal(only(await send('POST', '/things', { body: 'null' })), '422 body dict_type')
  assert.equal(only(await send('POST', '/things', { body: '5' })), '422 body dict_type')
})

test('path comes before query, query before header, header before body', async () => {
  const json = {}
  const bad = { json, headers: { 'x-level': '0', 'x-client-id': 'c'.repeat(201) } }
  assert.equal(only(await send('POST', '/things/zz?limit=0', bad)), '422 path.thing_id uuid_parsing')
  assert.equal(only(await send('POST', `/things/${ID}?limit=0`, bad)), '422 query.limit greater_than_equal')
  assert.equal(
    only(await send('POST', `/things/${ID}`, { json, headers: { 'x-level': '0' } })),
    '422 header.x-level greater_than_equal',
  )
  assert.equal(only(await send('POST', `/things/${ID}?limit=0`, { json })), '422 query.limit greater_than_equal')
  assert.equal(only(await send('POST', `/things/${ID}`, { json })), '422 body.name missing')
})

test('queries and paths are converted to the types of the contract', async () => {
  const call = `/things/${ID.toUpperCase()}?limit=5&tag=a&open=TRUE&ratio=-1.5e1&parent_id=${ID}&other=1`
  const one = (await send('POST', call, { json: { name: 'n' } })).json as Record<string, object>
  assert.deepEqual(one.query, { limit: 5, tag: ['a'], open: true, ratio: -15, parent_id: ID, other: '1' })
  assert.deepEqual(one.params, { thing_id: ID })
  const many = (await send('POST', `/things/${ID}?tag=a&tag=b`, { json: { name: 'n' } })).json as Record<string, object>
  assert.deepEqual(many.query, { limit: 10, tag: ['a', 'b'] })
})

test('text that is not a number or boolean is refused as unparsable', async () => {
  const cases = {
    'limit=0x10': 'int',
    'limit=1e1': 'int',
    'limit=': 'int',
    'limit=1.0': 'int',
    'ratio=NaN': 'float',
    'ratio=1e999': 'float',
    'open=maybe': 'bool',
  }
  for (const [query, kind] of Object.entries(cases)) {
    const answer = await send('POST', `/things/${ID}?${query}`, { json: { name: 'n' } })
    assert.equal(only(answer), `422 query.${query.split('=')[0]} ${kind}_parsing`)
  }
  assert.equal(
    only(await send('POST', `/things/${ID}?limit=1&limit=2`, { json: { name: 'n' } })),
    '422 query.limit int_type',
  )
  assert.equal(
    only(await send('POST', `/things/${ID}?tag=a&tag=long`, { json: { name: 'n' } })),
    '422 query.tag.1 string_too_long',
  )
})

test('U+0000 and unpaired surrogates are refused wherever they stand', async () => {
  const nul = String.raw`\u0000`
  const lone = String.raw`\ud800`
  const body = `{"title":"a${nul}","x":{"y":["ok","${lone}"]},"metadata":{"k${nul}":1}}`
  const { detail } = await send('POST', '/things', { body })
  assert.deepEqual(
    detail.map(({ loc, type }) => `${loc.join('.')} ${type}`),
    ['body.title string_unicode', 'body.x.y.1 string_unicode', 'body.metadata string_unicode'],
  )
  assert.deepEqual(await check({ title: 'a😀\u0001' }), [])
  assert.equal(
    only(await send('POST', `/things/${ID}?tag=%00`, { json: { name: 'n' } })),
    '422 query.tag string_unicode',
  )
  assert.equal(only(await send('POST', '/things/%00', { json: { name: 'n' } })), '422 path.thing_id string_unicode')
})

test('a hundred thousand bad items give a short answer', async () => {
  const steps = Array.from({ length: 100_000 }, () => 5)
  // No item is looked at, because there are too many values.
  assert.match(only(await send('POST', '/things', { json: { ...good, steps } })), /^422 body json_/)
  const many = await send('POST', '/things', { json: { ...good, steps: steps.slice(0, 1_000) } })
  assert.equal(many.detail.length, 100)
})

test('gateway headers are measured in characters and reach the handler', async () => {
  const call = (headers: Record<string, string>) => send('POST', `/things/${ID}`, { json: { name: 'n' }, headers })
  const fine = (await call({ 'x-audit-source': 's'.repeat(50), 'x-client-id': 'c'.repeat(200) })).json as {
    audit: object
  }
  assert.deepEqual(fine.audit, { source: 's'.repeat(50), clientId: 'c'.repeat(200) })
  assert.equal(only(await call({ 'x-audit-source': 's'.repeat(51) })), '422 header.x-audit-source string_too_long')
  assert.equal(only(await call({ 'x-client-id': 'c'.repeat(201) })), '422 header.x-client-id string_too_long')
  assert.equal(only(await call({ 'x-client-id': 'a\tb' })), '422 header.x-client-id string_unicode')
})

test('no body, however mutated, gives a server error or an answer without our error body', async () => {
  const base = JSON.stringify({
    ...good,
    kind: 'b',
    tags: ['a'],
    steps: [{ title: 't' }],
    first: null,
    metadata: { a: [1, { b: 2 }] },
  })
  const snippets = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    'null',
    '-',
    '1e999',
    '\\u0000',
    '\\ud800',
    '"title":',
    '"__proto__":',
    '\u0000',
    '\ufeff',
    'é',
    '😀',
  )
  const edits = fc.array(fc.tuple(fc.nat(base.length), fc.nat(6), fc.oneof(snippets, fc.string({ maxLength: 3 }))), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      const body = list.reduce((text, [at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut), base)
      const answer = await send('POST', '/things', { body })
      assert.ok(answer.status === 200 || answer.status === 422, `${answer.status} ${body}`)
      if (answer.status === 422) assert.ok(answer.detail.length > 0)
      for (const { loc } of answer.detail) assert.equal(loc[0], 'body')
    }),
    { numRuns: inTier({ gate: 100, all: 400 }) },
  )
})

test('no value for a declared field gives a server error', async () => {
  const field = fc.constantFrom(...Object.keys(Thing.properties))
  await fc.assert(
    fc.asyncProperty(fc.dictionary(field, fc.jsonValue()), async (change) => {
      const answer = await send('POST', '/things', { json: { ...good, ...change } })
      assert.ok(answer.status === 200 || answer.status === 422, answer.text)
    }),
    { numRuns: inTier({ gate: 100, all: 400 }) },
  )
})
