import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { EmbeddingUnavailable } from '../../src/embedding/embedder.ts'
import { conflict, forbidden, notFound } from '../../src/platform/faults.ts'
import { Contract, FreeForm, Text, Type, UuidParams } from '../../src/platform/contract/schema.ts'
import { inTier } from '../support/tier.ts'
import { CREDENTIAL, only, start } from './support.ts'

const Echo = Contract('Echo', { text: Text({ maxLength: 3_000_000 }), metadata: Type.Optional(FreeForm()) })
const thrown: Record<string, () => Error> = {
  not_found: () => notFound(['path', 'id'], 'Entry'),
  conflict: () => conflict(['body', 'slug'], 'Slug is taken'),
  above_ceiling: () => forbidden(['body', 'visibility'], 'Above the ceiling'),
  secret: () => new Error('password is hunter2'),
  embedding: () => new EmbeddingUnavailable('down', { retryAfterMs: 4_200 }),
  full: () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
  busy: () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' }),
}

let bodiesSeen = 0
const { send, raw, port } = await start(
  (app) => {
    const open = { public: true } as const
    app.post(
      '/echo',
      { schema: { body: Echo, response: { 200: Echo } }, config: { scopes: ['knowledge:write'] } },
      (request) => {
        bodiesSeen++
        return request.body
      },
    )
    app.get('/public', { config: open, schema: { response: { 200: FreeForm() } } }, () => ({ a: 1 }))
    app.get('/free', { schema: { response: { 200: Contract('Free', { metadata: FreeForm() }) } } }, () => ({
      metadata: { deep: [{ er: { est: [1, 'two', null] } }], 'a key': 'ü "q"' },
    }))
    app.delete('/things/:id', { schema: { params: UuidParams('id') } }, (_request, reply) => reply.code(204).send())
    app.get('/things/:id', { schema: { params: UuidParams('id') } }, () => ({}))
    app.get('/throw/:kind', { config: open }, (request) => {
      throw thrown[(request.params as { kind: string }).kind]()
    })
  },
  { bodyTimeoutMs: 300, headersTimeoutMs: 300 },
)

test('the credential is checked before anything else of the request', async () => {
  for (const authorization of ['', 'Bearer bad']) {
    const answer = await send('POST', '/echo', {
      body: '{bad',
      headers: { authorization, 'content-type': 'text/plain' },
    })
    assert.equal(only(answer), '401 header.authorization unauthorized')
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  }
})

test('a refused credential is answered before the body has arrived', async () => {
  const head =
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n{'
  assert.match(await raw(head), /^HTTP\/1\.1 401 /)
})

test('a missing scope is named before the body is checked', async () => {
  const answer = await send('POST', '/echo', { body: '{bad', headers: { authorization: 'Bearer reader' } })
  assert.equal(only(answer), '403 header.authorization forbidden')
  assert.equal(answer.headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="knowledge:write"')
})

test('content types other than JSON in UTF-8 are refused', async () => {
  const as = (type: string) => send('POST', '/echo', { body: '{"text":"a"}', headers: { 'content-type': type } })
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    assert.equal((await as(type)).status, 200, type)
  }
  for (const type of [
    'text/plain',
    'application/json; charset=latin1',
    'application/x-ndjson',
    'application/jsonx',
    'nonsense',
  ]) {
    const answer = await as(type)
    assert.equal(only(answer), '415 header.content-type unsupported_media_type', type)
    assert.equal(answer.detail[0].msg, 'Content type is not supported, send application/json in UTF-8')
  }
})

test('a body of exactly two megabytes passes, one byte more is too large', async () => {
  const limit = 2 * 1_024 * 1_024
  const text = 'x'.repeat(limit - '{"text":""}'.length)
  assert.equal((await send('POST', '/echo', { json: { text } })).status, 200)
  assert.equal(only(await send('POST', '/echo', { json: { text: `${text}x` } })), '413 body body_too_large')
  const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
  const head = `POST /echo HTTP/1.1\r\nHost: a\r\nAuthorization: ${CREDENTIAL}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  assert.match(await raw(head + chunk.repeat(33)), /^HTTP\/1\.1 413 /)
})

test('bad JSON is refused at the body, an empty body too', async () => {
  for (const body of [
    '{bad',
    '',
    ' ',
    '{"text":"a","text":"b"}',
    '{"text":1e999}',
    '['.repeat(33),
    '\ufeff{"text":"a"}',
  ]) {
    assert.equal(
      only(await send('POST', '/echo', { body, headers: { 'content-type': 'application/json' } })),
      '422 body json_invalid',
      body,
    )
  }
})

test('keys of Object.prototype pollute nothing', async () => {
  const bodies = [
    '{"text":"a","__proto__":{"isAdmin":true}}',
    '{"text":"a","constructor":{"prototype":{"isAdmin":true}}}',
  ]
  for (const body of bodies) assert.equal(only(await send('POST', '/echo', { body })), '422 body json_invalid')
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
})

test('free-form objects come back whole', async () => {
  const metadata = { deep: [{ er: { est: [1, 'two', null] } }], 'a key': 'ü "q"' }
  assert.deepEqual((await send('GET', '/free')).json, { metadata })
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 })), async (random) => {
      const answer = await send('POST', '/echo', { json: { text: 'a', metadata: random } })
      if (answer.status === 200)
        assert.deepEqual(answer.json, JSON.parse(JSON.stringify({ text: 'a', metadata: random })))
      else assert.match(answer.detail[0].type, /^(?:json_invalid|string_unicode)$/)
    }),
    { numRuns: inTier({ gate: 50, all: 200 }) },
  )
})

test('unknown paths are 404, known paths with another method 405 with Allow', async () => {
  assert.equal(only(await send('GET', '/nowhere')), '404 path not_found')
  assert.equal(only(await send('GET', '/nowhere', { headers: { authorization: '' } })), '404 path not_found')
  const answer = await send('PUT', '/things/5', { json: {} })
  assert.equal(only(answer), '405 path method_not_allowed')
  assert.equal(answer.headers.allow, 'DELETE, GET, HEAD')
  assert.equal((await send('DELETE', '/things/0190a0b0-0000-7000-8000-000000000001')).status, 204)
})

test('a delete with an empty JSON body is accepted', async () => {
  const headers = { 'content-type': 'application/json' }
  assert.equal((await send('DELETE', '/things/0190a0b0-0000-7000-8000-000000000001', { headers })).status, 204)
})

test('faults become their statuses, with the headers that belong to them', async () => {
  assert.equal(only(await send('GET', '/throw/not_found')), '404 path.id not_found')
  assert.equal(only(await send('GET', '/throw/conflict')), '409 body.slug conflict')
  const above = await send('GET', '/throw/above_ceiling')
  assert.equal(only(above), '403 body.visibility forbidden')
  assert.equal(above.headers['www-authenticate'], undefined)
  const down = await send('GET', '/throw/embedding')
  assert.equal(only(down), '503  unavailable')
  assert.equal(down.headers['retry-after'], '5')
  assert.equal(only(await send('GET', '/throw/full')), '507  storage_full')
  assert.equal(only(await send('GET', '/throw/busy')), '503  unavailable')
})

test('the answer to an internal error has the request id and nothing else', async () => {
  const answer = await send('GET', '/throw/secret', { headers: { 'x-request-id': 'abc.1' } })
  assert.deepEqual(answer.json, { detail: [{ loc: [], msg: 'Internal error, request abc.1', type: 'internal' }] })
})

test('a well-formed request id is kept, and any other is replaced', async () => {
  const id = async (requestId: string) =>
    (await send('GET', '/public', { headers: { 'x-request-id': requestId } })).headers['x-request-id']
  assert.equal(await id('abc-1'), 'abc-1')
  for (const bad of ['a b', 'x'.repeat(65), '<script>']) {
    const replacement = await id(bad)
    assert.match(String(replacement), /^[\w-]+$/)
    assert.notEqual(replacement, bad)
  }
  assert.notEqual(await id(' '), await id(' '))
})

test('every answer carries the security headers', async () => {
  for (const path of ['/public', '/nowhere', '/things/5', '/throw/secret']) {
    const { headers } = await send('GET', path)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
  }
})

test('behind https, and only there, every answer tells browsers to come by https alone', async () => {
  const secure = await start(
    (app) => {
      app.get('/public', { config: { public: true } }, () => ({}))
    },
    { publicUrl: 'https://knowledge.example' },
  )
  for (const path of ['/public', '/nowhere']) {
    const { headers } = await secure.send('GET', path)
    assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    assert.equal((await send('GET', path)).headers['strict-transport-security'], undefined)
  }
})

test('bad percent-encoding in a path and overlong addresses are refused with our error body', async () => {
  assert.equal(only(await send('GET', '/things/%ff')), '422 path string_unicode')
  assert.equal(only(await send('GET', '/things/%zz')), '422 path string_unicode')
  assert.equal(only(await send('GET', `/public?q=${'x'.repeat(8_200)}`)), '414 path url_too_long')
  assert.equal(only(await send('GET', `/things/${'x'.repeat(7_000)}`)), '422 path.id uuid_parsing')
  const answer = await raw(`GET /public?q=${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  assert.match(answer, /^HTTP\/1\.1 414 /)
  assert.match(answer, /"type":"url_too_long"/)
})

test('a query has at most 256 fields, of whatever name', async () => {
  for (const field of ['a=b', 'a', '']) {
    assert.equal((await send('GET', `/public?${Array.from({ length: 256 }, () => field).join('&')}`)).status, 200)
    assert.equal(
      only(await send('GET', `/public?${Array.from({ length: 257 }, () => field).join('&')}`)),
      '422 query too_long',
    )
  }
})

test('bytes that are not HTTP get 400, overlong headers 431, both with our error body', async () => {
  for (const text of ['nonsense\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTP/1.1\r\nbad header\r\n\r\n']) {
    const answer = await raw(text)
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /\{"detail":\[\{"loc":\[\],"msg":"Request is not valid HTTP","type":"bad_request"\}\]\}$/)
  }
  const wide = await raw(`GET /public HTTP/1.1\r\nHost: a\r\nX-Wide: ${'x'.repeat(40_000)}\r\n\r\n`)
  assert.match(wide, /^HTTP\/1\.1 431 /)
  assert.match(wide, /"type":"headers_too_large"/)
})

test('headers that never end are answered with 408', async () => {
  const answer = await raw('GET /public HTTP/1.1\r\nHost: a\r\nX-Slow: ')
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.match(answer, /"type":"request_timeout"/)
})

test('a body that arrives too slowly is ended with 408', async () => {
  const head = `POST /echo HTTP/1.1\r\nHost: a\r\nAuthorization: ${CREDENTIAL}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
  const before = bodiesSeen
  const answer = await raw(head)
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.match(answer, /"type":"request_timeout"/)
  assert.equal(bodiesSeen, before)
})

test('requests on one connection are answered in order, and a truncated one does no harm', async () => {
  const get = 'GET /public HTTP/1.1\r\nHost: a\r\n'
  const answers = await raw(`${get}\r\n${get}\r\n${get}Connection: close\r\n\r\n`)
  assert.equal(answers.match(/HTTP\/1\.1 200 /g)?.length, 3)
  const socket = connect(port, '127.0.0.1')
  socket.end(
    `POST /echo HTTP/1.1\r\nHost: a\r\nAuthorization: ${CREDENTIAL}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  )
  await new Promise((resolve) => socket.resume().once('close', resolve))
  assert.equal((await send('GET', '/public')).status, 200)
})
