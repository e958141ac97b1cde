import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { consoleRoutes } from '../../src/channels/console/routes.ts'
import { DEFAULT_SETTINGS } from '../../src/identity/tenants/settings.ts'
import type { Caller, TenantSettings } from '../../src/platform/access/caller.ts'
import { start } from '../http/support.ts'

const BUILD = join(import.meta.dirname, '../../console/dist')
const { app } = await start((http) => consoleRoutes()(http))

function callerOf(settings: TenantSettings): Caller {
  return {
    tenant: { id: 't', ownHost: false, settings, embeddingModel: null, watermark: 0 },
    userId: 'u',
    credentialId: 's',
    credentialKind: 'session',
    scopes: new Set(),
    ceiling: 'public',
    workspaceIds: [],
    audit: { source: 'console', clientId: null },
  }
}

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

test('the page is served below /console and for requests of assistants, with headers against framing, sniffing and foreign scripts', async () => {
  const html = readFileSync(join(BUILD, 'index.html'), 'utf8')
  for (const url of [
    '/console',
    '/console/',
    '/console/settings/api-keys',
    '/console/a/b/c',
    '/oauth/interaction/abc',
  ]) {
    const { statusCode, headers, body } = await get(url)
    assert.deepEqual([statusCode, body], [200, html], url)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.ok(String(headers['permissions-policy']).includes('camera=()'))
    assert.equal(headers['cache-control'], url.startsWith('/oauth') ? 'no-store' : 'no-cache')
  }
  assert.doesNotMatch(html, /<style|style=|<script(?![^>]* src=)|\son\w+=/)
})

test('only a signed-in person of a tenant that allows pictures of other servers gets a policy with them, on pages of the console', async () => {
  const cookie = 'session=x'
  let isAllowed = true
  const { app: pages } = await start((http) => consoleRoutes()(http), {
    resolveCaller: (facts) => {
      if (facts.cookies !== cookie) return Promise.reject(new Error('the database is away'))
      return Promise.resolve(callerOf({ ...DEFAULT_SETTINGS, foreignPictures: isAllowed }))
    },
  })
  const picturesOn = async (path: string, headers: Record<string, string>) => {
    const answer = await pages.inject({ method: 'GET', url: path, headers })
    assert.equal(answer.statusCode, 200, path)
    return /img-src ([^;]*)/.exec(String(answer.headers['content-security-policy']))?.[1]
  }
  assert.equal(await picturesOn('/console/entries/x', { cookie }), "'self' data: https:")
  assert.equal(await picturesOn('/console', { cookie }), "'self' data: https:")
  assert.equal(await picturesOn('/oauth/interaction/abc', { cookie }), "'self' data:")
  assert.equal(await picturesOn('/console', {}), "'self' data:")
  assert.equal(await picturesOn('/console', { cookie: 'session=other' }), "'self' data:")
  isAllowed = false
  assert.equal(await picturesOn('/console/entries/x', { cookie }), "'self' data:")
})

test('each file of the build has its type, may be cached for ever, and is compressed if the browser accepts it', async () => {
  const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' }
  const names = readdirSync(join(BUILD, 'assets'))
  assert.ok(names.length > 3)
  for (const name of names) {
    const content = readFileSync(join(BUILD, 'assets', name))
    const plain = await get(`/console/assets/${name}`)
    assert.equal(plain.statusCode, 200, name)
    assert.equal(plain.headers['content-type'], types[name.split('.').at(-1) as keyof typeof types])
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['x-content-type-options'], 'nosniff')
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.ok(plain.rawPayload.equals(content))
    const packed = await get(`/console/assets/${name}`, { 'accept-encoding': 'br, gzip;q=0.8' })
    assert.equal(packed.headers.vary, 'Accept-Encoding')
    const isPacked = packed.headers['content-encoding'] === 'gzip'
    assert.ok((isPacked ? gunzipSync(packed.rawPayload) : packed.rawPayload).equals(content), name)
    if (content.length > 1_000) assert.ok(isPacked && packed.rawPayload.length < content.length * 0.75, name)
    const refused = await get(`/console/assets/${name}`, { 'accept-encoding': 'gzip;q=0, br' })
    assert.equal(refused.headers['content-encoding'], undefined)
  }
})

test('a path that is no file of the build is not found, even if it tries to leave the folder', async () => {
  for (const name of [
    'nothing.js',
    '..%2findex.html',
    '%2e%2e%2flicenses.md',
    '..%2f..%2f..%2fpackage.json',
    '__proto__',
  ]) {
    const { statusCode, body } = await get(`/console/assets/${name}`)
    assert.equal(statusCode, 404, name)
    assert.equal(JSON.parse(body).detail[0].type, 'not_found')
  }
  assert.equal((await app.inject({ method: 'POST', url: '/console' })).statusCode, 405)
})

test('the root address redirects people to the console and programs to the reference', async () => {
  const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  assert.deepEqual([browser.statusCode, browser.headers.location, browser.headers.vary], [302, '/console', 'Accept'])
  const program = await get('/', { accept: '*/*' })
  assert.deepEqual([program.statusCode, program.headers.location], [302, '/docs'])
})

test('a service without the build answers 404 for the console and serves everything else', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'knowledge-test-'))
  try {
    const { app: bare } = await start((http) => consoleRoutes(empty)(http))
    assert.equal((await bare.inject({ method: 'GET', url: '/console' })).statusCode, 404)
    assert.equal((await bare.inject({ method: 'GET', url: '/console/assets/a.js' })).statusCode, 404)
    assert.equal((await bare.inject({ method: 'GET', url: '/' })).statusCode, 302)
  } finally {
    rmSync(empty, { recursive: true })
  }
})
