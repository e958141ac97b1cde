import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import type { Answer } from '../support/service.ts'
import { narrow, wide, type Kind, type Refusal } from './kinds.ts'
import { goodOf, NOWHERE, type Operation } from './operation.ts'
import { operations } from './operations.ts'
import { inTurn } from './sample.ts'
import { type Parts, Stage } from './stage.ts'
import { until } from '../support/patience.ts'

const OPERATIONS = Object.keys(operations(NOWHERE))
const HEADERS = { 'x-audit-source': 50, 'x-client-id': 200 } as const

/** Most bytes of a body without a credential. */
const FORM_BYTES_MAX = 16_384

onAnyDatabase('at every limit', (kind) => {
  let stage: Stage
  let table: Readonly<Record<string, Operation>>

  before(async () => {
    stage = await Stage.start(kind)
    table = operations(stage.world)
  })
  after(() => stage.stop())

  const refusesExactly = async (operationId: string, parts: Parts, loc: readonly string[], refusal: Refusal) => {
    const { status, body } = await stage.send(operationId, parts)
    const { at, msg, type } = refusal
    const place = `${operationId} ${loc.join('.')} ${JSON.stringify(refusal.value).slice(0, 60)}`
    assert.deepEqual(
      { status, detail: body.detail },
      { status: 422, detail: [{ loc: [...loc, ...at], msg, type }] },
      place,
    )
  }
  const accepts = async (operationId: string, parts: Parts, what: string): Promise<Answer> => {
    const answer = await stage.send(operationId, parts)
    const isMissing = answer.status === 404 && parts.body === undefined
    const isFine = answer.status < 300 || isMissing || table[operationId].refusals?.includes(answer.status)
    assert.ok(isFine, `${operationId} ${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  /**
   * Tells whether a value fits into a form. A form takes up to twelve bytes for a character beyond ASCII, so some texts
   * exceed the form's limit before their own.
   */
  const fitsForm = (value: unknown): boolean => encodeURIComponent(String(value)).length < FORM_BYTES_MAX - 1_000
  const refusesForm = async (operationId: string, parts: Parts): Promise<void> => {
    assert.equal((await stage.send(operationId, parts)).status, 413, operationId)
  }

  for (const [turn, operationId] of OPERATIONS.entries()) {
    test(`${operationId} takes each field at its borders and refuses it one past`, async () => {
      const operation = table[operationId]
      const { path = {}, query = {}, body = {}, good } = operation
      const before = await stage.rows()
      for (const [name, field] of Object.entries(path)) {
        for (const refusal of refusalsOf(textual(field), turn)) {
          if (refusal.value === '') continue
          const parts = { path: { [name]: String(refusal.value) }, body: good }
          await refusesExactly(operationId, parts, ['path', name], refusal)
        }
      }
      for (const [i, [name, field]] of Object.entries(query).entries()) {
        for (const refusal of refusalsOf(textual(field), turn + i)) {
          await refusesExactly(
            operationId,
            { query: queryOf(name, refusal.value), body: good },
            ['query', name],
            refusal,
          )
        }
      }
      for (const [i, [name, field]] of Object.entries(body).entries()) {
        // Form fields are all text, and an empty field counts as missing.
        const isForm = stage.takesForm(operationId)
        const refusals = isForm ? textual(field).filter(({ value }) => value !== '') : field.refuses
        for (const refusal of refusalsOf(refusals, turn + i)) {
          const parts = { body: { ...good, [name]: refusal.value } }
          if (isForm && !fitsForm(refusal.value)) await refusesForm(operationId, parts)
          else await refusesExactly(operationId, parts, ['body', name], refusal)
        }
      }
      assert.deepEqual(await stage.rows(), before)

      for (const [i, [name, field]] of Object.entries(query).entries()) {
        for (const value of acceptedOf(field, turn + i)) {
          await accepts(operationId, { query: queryOf(name, value), body: goodOf(operation) }, name)
        }
      }
      for (const [i, [name, field]] of Object.entries(body).entries()) {
        for (const value of acceptedOf(field, turn + i)) {
          const parts = { body: { ...goodOf(operation), [name]: value } }
          if (stage.takesForm(operationId) && !fitsForm(value)) await refusesForm(operationId, parts)
          else await accepts(operationId, parts, name)
        }
      }
    })
  }

  test('missing required fields are reported, all together and in order', async () => {
    for (const [operationId, { required = [], demanded = [], good, body }] of Object.entries(table)) {
      if (body === undefined) continue
      for (const name of required) {
        const { [name]: _left, ...rest } = good!
        const refusal = { value: rest, at: [], msg: 'Field required', type: 'missing', isType: false }
        await refusesExactly(operationId, { body: rest }, ['body', name], refusal)
      }
      if (required.length === 0) {
        await accepts(operationId, { body: {} }, 'nothing')
        continue
      }
      const detail = [...required, demanded]
        .flat()
        .map((name) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' }))
      assert.deepEqual((await stage.send(operationId, { body: {} })).body.detail, detail)
    }
  })

  test('a missing required parameter is reported', async () => {
    for (const [operationId, { needs = [], good }] of Object.entries(table)) {
      for (const name of needs) {
        const { method, path } = stage.routes.get(operationId)!
        const type = `application/${stage.takesLines(operationId) ? 'x-ndjson' : 'json'}`
        const { status, body } = await stage.service.call(method, path, {
          body: good,
          headers: { 'content-type': type },
        })
        const detail = [{ loc: ['query', name], msg: 'Field required', type: 'missing' }]
        assert.deepEqual([status, body.detail], [422, detail], operationId)
      }
    }
  })

  test('decimals keep every digit sent, as number and as text, in single requests and in lines', async () => {
    const amounts = ['0', '0.1', '19.90', '1.10', '99999999999999.99', '0.00000000000000001', '9'.repeat(38)]
    const ratings = ['0', '0.1', '4.90', '4.999999999999999999999', '5', '5.000', '0.0']
    for (const operationId of ['upsertProduct', 'importProducts']) {
      for (const quote of ['', '"']) {
        for (const [i, amount] of amounts.entries()) {
          const sent = { price_current: amount, price_msrp: amount, price_special: amount, rating_average: ratings[i] }
          const fields = Object.entries(sent).map(([name, value]) => `"${name}":${quote}${value}${quote}`)
          const body = `{"title":"Exact","language":"en",${fields.join()}}`
          const { id } = (await accepts(operationId, { body }, body)).body
          const product = (await stage.send('getProduct', { path: { product_id: id } })).body
          assert.deepEqual({ ...product, ...sent }, product, `${operationId} ${body}`)
        }
      }
    }
  })

  test('exactly the accepted clicks are stored', async () => {
    const { body = {} } = table.logSearchClick
    const turn = OPERATIONS.indexOf('logSearchClick')
    const taken = Object.values(body).reduce((sum, field, i) => sum + acceptedOf(field, turn + i).length, 0)
    const clicks = () => stage.service.database.queries.selectFrom('search_clicks').select('action').execute()
    await until(async () => (await clicks()).length >= taken, 'the clicks are written')
    assert.equal((await clicks()).length, taken)
  })

  test('gateway headers are measured in code points on every route', async () => {
    const before = await stage.rows()
    for (const [turn, [operationId, { good, isPublic }]] of Object.entries(table).entries()) {
      if (isPublic) continue
      for (const [name, max] of Object.entries(HEADERS)) {
        const headers = (value: string) => ({ [name]: Buffer.from(value).toString('latin1') })
        const refusal = {
          value: name,
          at: [],
          msg: `String should have at most ${max} characters`,
          type: 'string_too_long',
          isType: false,
        }
        for (const value of inTurn([wide(max + 1), narrow(max + 1)], turn, 1)) {
          await refusesExactly(operationId, { body: good, headers: headers(value) }, ['header', name], refusal)
        }
      }
    }
    assert.deepEqual(await stage.rows(), before)
    for (const fill of [wide, narrow]) {
      const headers = Object.fromEntries(
        Object.entries(HEADERS).map(([name, max]) => [name, Buffer.from(fill(max)).toString('latin1')]),
      )
      const { body } = await accepts('createEntry', { body: table.createEntry.good, headers }, 'headers')
      const { claimed_source, claimed_client_id } = await stage.service.database.queries
        .selectFrom('audit_log')
        .select(['claimed_source', 'claimed_client_id'])
        .where('resource_id', '=', body.id)
        .executeTakeFirstOrThrow()
      assert.deepEqual([claimed_source, claimed_client_id], [fill(50), fill(200)])
    }
  })

  test('a body of 2 MiB is accepted, one byte more is too large, and nothing of it is stored', async () => {
    const whole = { ...table.createEntry.good, unknown: '' }
    const room = 2 * 1_024 * 1_024 - Buffer.byteLength(JSON.stringify(whole))
    await accepts('createEntry', { body: { ...whole, unknown: 'x'.repeat(room) } }, 'two megabytes')
    const before = await stage.rows()
    const answer = await stage.send('createEntry', { body: { ...whole, unknown: 'x'.repeat(room + 1) } })
    assert.deepEqual(
      [answer.status, answer.body.detail],
      [413, [{ loc: ['body'], msg: 'Body is too large', type: 'body_too_large' }]],
    )
    assert.deepEqual(await stage.rows(), before)
  })

  test('without a limit a search answers ten, and a list a thousand', async () => {
    const lines = (good: object) =>
      Array.from({ length: 1_001 }, (_, i) => JSON.stringify({ ...good, title: `content ${i}` })).join('\n')
    assert.equal((await stage.send('importEntries', { body: lines(table.createEntry.good!) })).status, 200)
    assert.equal((await stage.send('importProducts', { body: lines(table.upsertProduct.good!) })).status, 200)
    assert.equal((await stage.send('searchEntries', { body: { query: 'content' } })).body.length, 10)
    assert.equal((await stage.send('searchEntries', { body: { query: 'content', limit: 100 } })).body.length, 100)
    const list = await stage.send('listEntries', {})
    assert.equal(list.body.length, 1_000)
    assert.match(list.headers.get('link') ?? '', /; rel="next"$/)

    const products = await stage.send('listProducts', {})
    assert.equal(products.body.length, 1_000)
    assert.match(products.headers.get('link') ?? '', /; rel="next"$/)
    const lengths = async (operationId: string, parts: Parts, pick: (body: Answer['body']) => unknown[][]) =>
      pick((await stage.send(operationId, parts)).body).map((rows) => rows.length)
    const query = { body: { query: 'content' } }
    const sections = (body: Answer['body']) => body.sections.map(({ hits }: { hits: unknown[] }) => hits)
    assert.deepEqual(await lengths('searchProducts', query, (body) => [body.hits]), [10])
    assert.deepEqual(await lengths('search', query, sections), [10, 10])
    assert.deepEqual(await lengths('listSimilarProducts', {}, (body) => [body]), [10])
    assert.deepEqual(await lengths('suggest', { query: '?q=content' }, (body) => [body.products]), [5])
    const both = { query: '?q=content&section=products&section=knowledge' }
    assert.deepEqual(await lengths('suggest', both, (body) => [body.products, body.entries]), [5, 5])
  })
})

/** Returns the refusals of a parameter. Text has no wrong type, but it may not be convertible. */
function textual({ refuses, parsing }: Kind): Refusal[] {
  const unreadable = ['x', '', '1.0', '0x1', '1e1', 'NaN']
  const ofRightType = refuses.filter(({ isType }) => !isType)
  return parsing === null
    ? ofRightType
    : [...ofRightType, ...unreadable.map((value) => ({ ...parsing, value, at: [], isType: false }))]
}

/**
 * Returns the refusals that are tried. In the gate these are, of each fault at each place of the field, the first
 * value, which is the one just beyond the border, and one of the others; of the wrong types one. Fields share the code
 * that judges them.
 */
function refusalsOf(refusals: readonly Refusal[], turn: number): Refusal[] {
  const byFault = Map.groupBy(refusals, ({ type, msg, at, isType }) => JSON.stringify([type, msg, at, isType]))
  return [...byFault.values()].flatMap(([first, ...others]) =>
    first.isType ? inTurn([first, ...others], turn, 1) : [first, ...inTurn(others, turn, 1)],
  )
}

/**
 * Returns the accepted values that are tried. In the gate these are the first two, which are at the borders, and one of
 * the others.
 */
function acceptedOf({ accepts }: Kind, turn: number): unknown[] {
  return [...accepts.slice(0, 2), ...inTurn(accepts.slice(2), turn, 1)]
}

/** Returns a parameter as a query. A list repeats the name. */
function queryOf(name: string, value: unknown): string {
  const values = Array.isArray(value) ? value : [value]
  return `?${values.map((each) => `${name}=${encodeURIComponent(String(each))}`).join('&')}`
}
