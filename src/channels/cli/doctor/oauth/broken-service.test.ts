import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { askOverHttp } from './ask.ts'
import { diagnose } from './diagnose.ts'
import { PROFILES } from './profiles.ts'
import { exitCodeOf, reportOf } from './report.ts'

type Reply = readonly [status: number, body?: object | string, headers?: Record<string, string>]
/** Replies by method and path; any other request gets 404. */
type Routes = Readonly<Record<string, Reply | ((request: IncomingMessage) => Reply)>>

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
}

/** Runs the doctor against a service with correct metadata. @param of returns further or other routes */
async function examine(
  t: TestContext,
  of: (origin: string) => Routes,
  key: string | null = null,
): Promise<{ code: number; report: string; calls: string[] }> {
  const calls: string[] = []
  let routes: Routes = {}
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url?.split('?')[0]}`
    calls.push(request.headers.authorization === undefined ? call : `${call} with a credential`)
    const reply = request.method === 'OPTIONS' ? ([204, undefined, CORS] as const) : (routes[call] ?? [404])
    const [status, body, headers] = typeof reply === 'function' ? reply(request) : reply
    const type = typeof body === 'string' ? 'text/html' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(typeof body === 'object' ? JSON.stringify(body) : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  routes = { ...sound(origin), ...of(origin) }
  const signal = new AbortController().signal
  const diagnosis = await diagnose({ ask: askOverHttp, origin, profiles: PROFILES, key, signal })
  return { code: exitCodeOf(diagnosis), report: reportOf(diagnosis), calls }
}

const server = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
})
const RESOURCE = 'GET /.well-known/oauth-protected-resource/mcp'
const SERVER = 'GET /.well-known/oauth-authorization-server'
const OPENID = 'GET /.well-known/openid-configuration'

function sound(origin: string): Routes {
  const metadata = `${origin}/.well-known/oauth-protected-resource`
  const resource = (path: string): Reply => [200, { resource: origin + path, authorization_servers: [origin] }]
  return {
    'POST /mcp': [401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}/mcp"` }],
    [RESOURCE]: resource('/mcp'),
    'GET /.well-known/oauth-protected-resource': resource(''),
    [SERVER]: [200, server(origin)],
    [OPENID]: [200, server(origin)],
    'POST /oauth/register': [401, { error: 'invalid_token' }],
  }
}

test('a correct service that requires a key for registration is not a fault', async (t) => {
  const { code, report } = await examine(t, () => ({}))
  assert.equal(code, 0, report)
})

test('a service without /mcp is reported plainly, and the rest is still examined', async (t) => {
  const { code, report } = await examine(t, () => ({ 'POST /mcp': [404] }))
  assert.equal(code, 1)
  assert.match(report, /fail +challenge +there is nothing at http:\/\/127\.0\.0\.1:\d+\/mcp \(404\)/)
  assert.match(report, /ok +server/)
  assert.match(report, /fail +=> +Cursor does not get in: see challenge above/)
})

test('the report suspects another program at the address only when nothing looks like the service', async (t) => {
  const nothing = { 'POST /mcp': [501], [RESOURCE]: [404], [SERVER]: [404], [OPENID]: [404] } as const
  const root = 'GET /.well-known/oauth-protected-resource'
  const { code, report } = await examine(t, () => ({ ...nothing, [root]: [404] }))
  assert.equal(code, 1)
  assert.match(report, /no assistant can connect\. Nothing at http:\/\/127\.0\.0\.1:\d+ looks like a Knowledge Service/)
  const half = await examine(t, () => nothing)
  assert.match(half.report, /no assistant can connect\.$/m)
})

test('each fault in the metadata is named, and then no client is registered', async (t) => {
  const faults: [RegExp, (origin: string) => Routes][] = [
    [
      /fail +resource .*is about https:\/\/elsewhere\.example\/mcp, but clients asked for .*enter https:\/\/elsewhere\.example\/mcp in/,
      (origin) => ({
        [RESOURCE]: [200, { resource: 'https://elsewhere.example/mcp', authorization_servers: [origin] }],
      }),
    ],
    [/fail +resource .*answers 404 instead of the resource's metadata/, () => ({ [RESOURCE]: [404] })],
    [
      /fail +server .*code_challenge_methods_supported .* does not name S256/,
      (origin) => ({ [SERVER]: [200, { ...server(origin), code_challenge_methods_supported: [] }] }),
    ],
    [
      /fail +server .*names the issuer http:\/\/localhost:8080, but http:\/\/127\.0\.0\.1:\d+ was asked/,
      (origin) => ({ [SERVER]: [200, { ...server(origin), issuer: 'http://localhost:8080' }] }),
    ],
    [/fail +server .*answers 404 instead of the server's metadata/, () => ({ [SERVER]: [404] })],
    [/fail +server .*answers 200 with text\/html/, () => ({ [SERVER]: [200, '<html></html>'], [OPENID]: [404] })],
  ]
  for (const [expected, routes] of faults) {
    const { code, report, calls } = await examine(t, routes)
    assert.equal(code, 1, report)
    assert.match(report, expected)
    assert.ok(calls.filter((call) => call === 'POST /oauth/register').length <= 1)
    assert.ok(!calls.includes('GET /oauth/authorize'))
  }
})

test('the API key is sent only to the service that is examined', async (t) => {
  const key = `ks_${'a'.repeat(40)}`
  const own = await examine(t, () => ({}), key)
  assert.ok(own.calls.includes('POST /oauth/register with a credential'))
  const foreign = await examine(
    t,
    (origin) => {
      const elsewhere = origin.replace('127.0.0.1', 'localhost')
      return { [SERVER]: [200, { ...server(origin), registration_endpoint: `${elsewhere}/oauth/register` }] }
    },
    key,
  )
  assert.match(
    foreign.report,
    /warn +mode +clients register at http:\/\/localhost:\d+, which is another origin: the key is not sent there/,
  )
  assert.ok(foreign.calls.includes('POST /oauth/register'))
  assert.ok(!foreign.calls.some((call) => call.endsWith('with a credential')))
})

test('a slash at the end of the resource keeps out only clients that compare exactly', async (t) => {
  const { report } = await examine(t, (origin) => ({
    [RESOURCE]: [200, { resource: `${origin}/mcp/`, authorization_servers: [origin] }],
  }))
  assert.match(report, /fail +resource .*the slash at the end keeps out/)
  assert.match(report, /fail +=> +VS Code does not get in: see resource above/)
  assert.match(report, /warn +=> +Cursor does not get in by itself/)
})

test('a client that cannot be removed is reported with what to do', async (t) => {
  const { code, report, calls } = await examine(t, (origin) => ({
    'POST /oauth/register': registering(origin),
    'GET /oauth/authorize': [500],
    'POST /oauth/token': [503],
  }))
  assert.equal(code, 1)
  assert.match(report, /fail +sign-in .*gets 500: check the service's log/)
  assert.match(report, /fail +tokens .*answers 503 to an invalid grant of type authorization_code/)
  assert.match(report, /fail +remove +the client c1 could not be removed.*DELETE \/api\/knowledge\/oauth-clients\/c1/)
  assert.ok(calls.includes('DELETE /oauth/register/c1 with a credential'))
})

/** Refuses the first registration, by which the doctor learns the mode, and accepts all others. */
function registering(origin: string): () => Reply {
  let count = 0
  return () => {
    count += 1
    if (count === 1) return [400, { error: 'invalid_redirect_uri' }]
    const managing = { registration_client_uri: `${origin}/oauth/register/c1`, registration_access_token: 't' }
    return [201, { client_id: 'c1', ...managing }]
  }
}

test('a service that does not answer is reported once', async () => {
  const place = createServer().listen(0, '127.0.0.1')
  await once(place, 'listening')
  const origin = `http://127.0.0.1:${(place.address() as AddressInfo).port}`
  place.close()
  await once(place, 'close')
  const signal = new AbortController().signal
  const diagnosis = await diagnose({ ask: askOverHttp, origin, profiles: PROFILES, key: null, signal })
  assert.equal(exitCodeOf(diagnosis), 1)
  const report = reportOf(diagnosis)
  assert.match(
    report,
    /fail +challenge +http:\/\/127\.0\.0\.1:\d+ does not answer: start the service\. If it runs already, .*the PORT or PUBLIC_URL that it runs with/,
  )
  assert.equal(report.match(/^fail/gm)?.length, 1, report)
})

test('each form of request that clients use is tried, and a failing one is named', async (t) => {
  const resources: (string | null)[] = []
  const { report } = await examine(t, (origin) => ({
    'POST /oauth/register': registering(origin),
    'GET /oauth/authorize': ({ url }) => {
      const { searchParams } = new URL(url!, origin)
      const resource = searchParams.get('resource')
      // The first four requests belong to no particular assistant.
      if (resources.length < 4) resources.push(resource)
      return resource === origin ? [400, '<p><code>invalid_target</code> no such resource</p>'] : [500]
    },
  }))
  const origin = /connect to (\S+)\/mcp/.exec(report)![1]
  assert.deepEqual(resources, [`${origin}/mcp/`, origin, null, `${origin}/mcp`])
  assert.match(report, /fail +requests +with the whole service as resource, .*invalid_target no such resource/)
})
