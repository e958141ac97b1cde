import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../support/any-character.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { inTier } from '../support/tier.ts'
import { type Fields, goodOf, NOWHERE, type Operation } from './operation.ts'
import { operations } from './operations.ts'
import { formOf, type Parts, Stage } from './stage.ts'
import { assertWhole } from './wholeness.ts'

/** Number of requests without a body; with a body there are twice as many. */
const RUNS = inTier({ gate: 3, all: 15 })
/** Most mutated fields of a request. More would leave almost no valid request. */
const FIELDS_MAX = 4
const PARTS = new Set(['path', 'query', 'header', 'body'])
/** Most bytes of a mutated value. Larger border values are tried elsewhere, one at a time. */
const VALUE_BYTES_MAX = 50_000

/** Values that have broken services before. */
const ODD: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u0000',
  '\ufffe',
  '\u202etxet',
  'ﷺ'.repeat(50),
  'e\u0301'.repeat(300),
  '😀',
  "'; drop table entries; --",
  '%27%00',
  '../../etc/passwd',
  '{{7*7}}',
  'NaN',
  '1e3',
  '99999999999999.99',
  0,
  -1,
  0.1,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 64,
  [],
  {},
  [[]],
  [null],
  { constructor: { name: 1 } },
  { toJSON: 1, valueOf: 2, length: -1 },
  Array(101).fill('a'),
  Array(501).fill('0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'),
  { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } },
  { steps: ['a'] },
  { steps: [{ title: 't' }] },
  { term: 't', synonyms: ['s'] },
  { expires_at: '2001-01-01T00:00:00Z', importance: 1 },
]
const odd = fc.constantFrom(...ODD)
const anything = fc.oneof(
  odd,
  fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter }),
  fc.string({ unit: anyCharacter, maxLength: 80 }),
)

/** Returns values for some of the fields, mostly from their borders, so that rules across fields are tried too. */
function fieldsOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.entries(fields).map(([name, { accepts, refuses }]) => {
    const values = [...accepts, ...refuses.map(({ value }) => value)]
    const small = values.filter((value) => (JSON.stringify(value)?.length ?? 0) < VALUE_BYTES_MAX)
    return [name, fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...small) }, { weight: 1, arbitrary: anything })]
  })
  return fc
    .subarray(values, { maxLength: Math.min(FIELDS_MAX, values.length) })
    .chain((some) => fc.record(Object.fromEntries(some) as Record<string, fc.Arbitrary<unknown>>))
}

const snippet = fc.constantFrom('{', '}', '[', ']', '"', ',', ':', 'null', '-', '1e999', '\\u0000', '\\ud800', '\u0000')
const edits = fc.array(fc.tuple(fc.nat(300), fc.nat(6), fc.oneof(snippet, fc.string({ maxLength: 3 }))), {
  maxLength: 3,
})

function bodyOf(operation: Operation): fc.Arbitrary<unknown> {
  const { body } = operation
  if (body === undefined) return fc.constant(undefined)
  const written = operation.isForm ? formOf : JSON.stringify
  const value = fieldsOf(body).map((fields) => written({ ...goodOf(operation), ...fields }))
  const edited = fc
    .tuple(value, edits)
    .map(([text, list]) =>
      list.reduce((whole, [at, cut, put]) => whole.slice(0, at) + put + whole.slice(at + cut), text),
    )
  return fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: edited })
}

/** Returns a value as text for an address. `String` could fail on objects such as `{ toString: 1 }`. */
const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Text of a header, of characters that a client can send there. */
const headerText = fc.oneof(
  fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim()),
  fc.constantFrom('*', '"1"', '"1", "2"', 'W/"1"', '1', 'knowledge:read', 'visibility:public', 'de-DE, *;q=0', ',;='),
)
const headersOf = fc.dictionary(
  fc.constantFrom('if-match', 'x-scopes', 'x-audit-source', 'x-client-id', 'accept-language', 'accept', 'x-request-id'),
  headerText,
  { maxKeys: 2 },
)

/**
 * Returns a request with one odd value in one field. Turns take the next value each, so that the routes together meet
 * every value, although each gets only a few requests.
 */
function oddRequest(operation: Operation, turn: number): Parts[] {
  const { query = {}, body = {} } = operation
  const value = ODD[turn % ODD.length]
  const nameIn = (fields: Fields) => Object.keys(fields)[turn % Object.keys(fields).length]
  if (operation.body !== undefined) {
    const written = operation.isForm ? formOf : JSON.stringify
    return [{ body: written({ ...goodOf(operation), [nameIn(body)]: value }) }]
  }
  if (Object.keys(query).length === 0) return []
  return [{ query: `?${nameIn(query)}=${encodeURIComponent(plain(value).toWellFormed())}` }]
}

function requestOf(operation: Operation): fc.Arbitrary<Parts> {
  const { path = {}, query = {} } = operation
  const text = (value: unknown) => encodeURIComponent(plain(value).toWellFormed())
  const pairs = fieldsOf(query).map((fields) =>
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => `${name}=${text(each)}`)),
  )
  const strange = fc.array(fc.constantFrom('x=%zz', '__proto__=1', 'limit', '&&', 'tag[]=1', '=', '%00=%00'), {
    maxLength: 1,
  })
  return fc.record({
    path: fieldsOf(path).map((fields) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value).toWellFormed()])),
    ),
    query: fc.tuple(pairs, strange).map((all) => (all.flat().length === 0 ? '' : `?${all.flat().join('&')}`)),
    body: bodyOf(operation),
    headers: headersOf,
  })
}

onAnyDatabase('mutated input', (kind) => {
  let stage: Stage
  let table: Readonly<Record<string, Operation>>

  before(async () => {
    stage = await Stage.start(kind)
    table = operations(stage.world)
  })
  after(() => stage.stop())

  for (const [turn, operationId] of Object.keys(operations(NOWHERE)).entries()) {
    test(`${operationId} answers clearly, and stores all of it or nothing`, async () => {
      const operation = table[operationId]
      const isWrite = stage.routes.get(operationId)!.method !== 'GET'
      if (operationId === 'removeEntryBySource') await withoutReference(stage)
      const examples = oddRequest(operation, turn).map((parts): [Parts] => [parts])
      await fc.assert(
        fc.asyncProperty(requestOf(operation), async (parts) => {
          const path = operationId.startsWith('delete') ? await victim(stage, operationId, parts.path) : parts.path
          const before = isWrite ? await stage.rows() : null
          const answer = await stage.send(operationId, { ...parts, path })
          assert.ok(answer.status < 500, `${answer.status} ${JSON.stringify(answer.body)}`)
          if (answer.status < 400) return
          // OAuth's endpoints have the error format of their own specifications.
          if (answer.body.error !== undefined) assert.match(answer.body.error, /^[a-z_]+$/)
          else assert.ok(answer.body.detail.length > 0)
          for (const { loc, msg, type } of answer.body.detail ?? []) {
            // Too many requests is a fault of the whole request.
            assert.ok(
              (PARTS.has(loc[0]) || answer.status === 429) && loc.every((part: unknown) => typeof part === 'string'),
              JSON.stringify(loc),
            )
            assert.ok(typeof msg === 'string' && /^[a-z_]+$/.test(type))
          }
          // A refused line increments the watermark, because other lines of the bulk may be valid.
          if (before !== null && !stage.takesLines(operationId)) assert.deepEqual(await stage.rows(), before)
        }),
        { numRuns: operation.body === undefined ? RUNS : 2 * RUNS, examples, endOnFailure: true },
      )
      assert.equal((await stage.send('getEntry', {})).status, 200, 'the service goes on')
    })
  }

  test('no request has left incomplete data behind', async () => {
    await stage.rows()
    await assertWhole(stage.service.database)
  })
})

/** Takes the reference from the entry that other tests need: a mutated change may have set one that is tried now. */
async function withoutReference(stage: Stage): Promise<void> {
  const { status } = await stage.send('updateEntry', { body: { source_reference: null } })
  assert.equal(status, 200)
}

let victims = 0

/** Returns the path of a thing that a delete may remove, where other tests need the shared one. */
async function victim(stage: Stage, operationId: string, path: Parts['path']): Promise<Record<string, string>> {
  if (operationId === 'deleteOAuthClient') {
    const good = { client_name: 'Gone', redirect_uris: ['http://127.0.0.1/'] }
    return path?.client_id === stage.world.client
      ? { client_id: (await stage.send('registerClient', { body: good })).body.client_id }
      : { client_id: path?.client_id ?? 'unknown' }
  }
  if (operationId.startsWith('deleteJudged')) {
    const isShared = (id: string | undefined, shared: string) => id === undefined || id.toLowerCase() === shared
    if (!isShared(path?.set_id, stage.world.set)) return path!
    const body = { name: 'Gone', section: 'knowledge' }
    if (operationId === 'deleteJudgedSet') return { set_id: (await stage.send('createJudgedSet', { body })).body.id }
    if (!isShared(path?.query_id, stage.world.judgedQuery)) return path!
    await stage.send('putJudgedQueries', { body: { queries: [{ query: 'gone', judgments: [] }] } })
    const { body: queries } = await stage.send('listJudgedQueries', {})
    return { query_id: queries.find((each: { query: string }) => each.query === 'gone').id }
  }
  const what = operationId.slice('delete'.length)
  const name = `${what.toLowerCase()}_id`
  const id = path?.[name]
  if (id !== undefined && id.toLowerCase() !== stage.ids[name]) return { [name]: id }
  const common = { title: 'Gone', name: 'Gone', slug: `gone-${++victims}`, language: 'de' }
  const body = { ...common, content: 'c', category_id: stage.world.category }
  return { [name]: (await stage.send(what === 'Product' ? 'upsertProduct' : `create${what}`, { body })).body.id }
}
