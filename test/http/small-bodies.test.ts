import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Contract, Text } from '../../src/platform/contract/schema.ts'
import { CREDENTIAL, only, start } from './support.ts'

const KILOBYTE = 1_024
const Told = Contract('Told', { text: Text({ maxLength: 3_000_000 }) })

let handled = 0
const { send, raw } = await start(
  (app) => {
    const handler = () => ({ handled: ++handled })
    const schema = { body: Told }
    app.post('/public', { config: { public: true }, schema, handler })
    app.put('/public', { config: { public: true }, schema, handler })
    app.delete('/public', { config: { public: true }, handler })
    app.post('/bearer', { config: { optional: 'bearer' }, schema, handler })
    app.post('/session', { config: { optional: 'session' }, schema, handler })
    app.post('/beacon', { config: { bestEffort: true }, schema, handler })
    app.post('/form', { config: { optional: 'bearer', form: true }, schema, handler })
    app.delete('/closed', { handler })
    app.post('/closed', { schema, handler })
  },
  { bodyTimeoutMs: 500 },
)

const SHORT = [
  ['POST', '/public'],
  ['PUT', '/public'],
  ['DELETE', '/public'],
  ['POST', '/bearer'],
  ['POST', '/session'],
  ['POST', '/beacon'],
  ['DELETE', '/closed'],
] as const
const sized = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
const PAGE = { 'sec-fetch-site': 'same-origin' }

test('a body without a credential, or one that the route ignores, has at most 16 KiB; others have 2 MiB', async () => {
  for (const [method, path] of SHORT) {
    assert.equal((await send(method, path, { body: sized(16 * KILOBYTE), headers: PAGE })).status, 200, path)
    const long = await send(method, path, { body: sized(16 * KILOBYTE + 1), headers: PAGE })
    assert.equal(only(long), '413 body body_too_large', `${method} ${path}`)
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await send('POST', '/form', { body: `text=${'x'.repeat(16_000)}`, headers: form })).status, 200)
  const long = await send('POST', '/form', { body: `text=${'x'.repeat(16 * KILOBYTE)}`, headers: form })
  assert.equal(only(long), '413 body body_too_large')
  assert.equal((await send('POST', '/closed', { body: sized(2 * KILOBYTE * KILOBYTE) })).status, 200)
})

test('the refusal comes before a body with a length, and in the middle of one without', async () => {
  const before = handled
  for (const [method, path] of SHORT) {
    const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${CREDENTIAL}\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin\r\n`
    const announced = await raw(`${head}Content-Length: ${16 * KILOBYTE + 1}\r\n\r\n`)
    assert.match(announced, /^HTTP\/1\.1 413 .*Connection: close\r\n/is, `${method} ${path}`)
    // The last chunk, which would end the body, never comes.
    const chunks = `1000\r\n${'x'.repeat(4 * KILOBYTE)}\r\n`.repeat(5)
    assert.match(
      await raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`),
      /^HTTP\/1\.1 413 /,
      `${method} ${path}`,
    )
  }
  assert.equal(handled, before)
})
