import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { addDocs } from '../../src/platform/reference/docs-routes.ts'
import { start } from './support.ts'

const { app } = await start(addDocs)
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })
const PACKED = { 'accept-encoding': 'gzip' }

test('the reference page runs only files of the service, under the policy of every page', async () => {
  const { statusCode, headers, body } = await get('/docs')
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-cache')
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  )
  assert.equal(headers['x-frame-options'], 'DENY')
  assert.doesNotMatch(body, /<style|style=|https?:\/\/|<script(?![^>]* src="\/docs\/assets\/)|\son\w+=/)
})

test('each file of the page is served compressed, and may be cached until its content changes', async () => {
  const { body } = await get('/docs')
  const addresses = [...body.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map((match) => match[1])
  assert.deepEqual(addresses.map((address) => address.replace(/^.*\/|-[\w-]{16}(?=\.)/g, '')).sort(), [
    'docs.css',
    'docs.js',
    'swagger-ui-bundle.js',
    'swagger-ui.css',
  ])
  for (const address of addresses) {
    const plain = await get(address)
    assert.equal(plain.statusCode, 200, address)
    assert.match(String(plain.headers['content-type']), /^text\/(javascript|css); charset=utf-8$/)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    const packed = await get(address, PACKED)
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload), address)
    const repeat = await get(address, { 'if-none-match': String(plain.headers.etag) })
    assert.deepEqual([repeat.statusCode, repeat.rawPayload.length], [304, 0])
  }
  assert.equal((await get('/docs/assets/swagger-ui.js')).statusCode, 404)
  assert.equal((await get('/docs/assets/..%2fdocs.js')).statusCode, 404)
})

test('the OpenAPI document is compressed and revalidated each time', async () => {
  const plain = await get('/openapi.json')
  assert.equal(plain.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(plain.headers['cache-control'], 'no-cache')
  const packed = await get('/openapi.json', PACKED)
  assert.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload))
  assert.equal((await get('/openapi.json', { 'if-none-match': String(plain.headers.etag) })).statusCode, 304)
})

test('a browser that has a file gets it again only when none of its tags fits, also where a proxy weakened them', async () => {
  const etag = String((await get('/openapi.json')).headers.etag)
  for (const tag of [`W/${etag}`, `"older", ${etag}`, `"older",W/${etag}`, '*']) {
    assert.equal((await get('/openapi.json', { 'if-none-match': tag })).statusCode, 304, tag)
  }
  for (const tag of ['"older"', 'W/"older"', etag.slice(1, -1), `"x${etag.slice(1)}`, '']) {
    assert.equal((await get('/openapi.json', { 'if-none-match': tag })).statusCode, 200, tag)
  }
})
