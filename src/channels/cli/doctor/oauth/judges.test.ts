import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deniedPage } from '../../../../identity/oauth/authorize/error-page.ts'
import { judgeAddress } from './address.ts'
import { type Answer, Unreachable } from './ask.ts'
import {
  judgeChallenge,
  judgePreflight,
  judgeResource,
  judgeServer,
  type ServerMetadata,
  serverMetadataUrls,
} from './discovery-judges.ts'
import type { RegistrationBody } from './profiles.ts'
import { judgeMode, judgeRegistration } from './registration.ts'
import { judgeOpening, judgePage, judgeReturn } from './sign-in.ts'
import { judgeTokenRefusal } from './token.ts'

const ORIGIN = 'https://kb.example.com'
const MCP = `${ORIGIN}/mcp`

function answer(status: number, body: object | string | null = null, headers: Record<string, string> = {}): Answer {
  const isJson = typeof body === 'object' && body !== null
  const text = isJson ? JSON.stringify(body) : (body ?? '')
  return { status, headers: new Headers(headers), text, json: isJson ? (body as Record<string, unknown>) : null }
}

test('scheme, host name and its IP addresses decide who reaches an address', () => {
  const of = (origin: string, resolved: string[] = []) => {
    const { reach, finding } = judgeAddress(origin, resolved)
    return `${reach} ${finding.verdict}`
  }
  assert.equal(of('http://localhost:8080'), 'machine warn')
  assert.equal(of('http://127.0.0.1:8080'), 'machine warn')
  assert.equal(of('http://[::1]:8080'), 'machine warn')
  assert.equal(of('https://kb.example.com', ['203.0.113.7']), 'public ok')
  assert.equal(of('https://kb.example.com', ['203.0.113.7', '10.1.2.3']), 'public ok')
  assert.equal(of('https://kb.example.com', ['10.1.2.3', 'fd00::1']), 'private warn')
  assert.equal(of('https://192.168.1.4'), 'private warn')
  assert.equal(of('https://intranet'), 'private warn')
  assert.equal(of('https://kb.corp.internal', ['203.0.113.7']), 'private warn')
  assert.match(judgeAddress('http://kb.example.com', []).finding.text, /not encrypted.*PUBLIC_URL/)
})

test('a challenge is a 401 that names the metadata', () => {
  const header = `Bearer error="invalid_token", resource_metadata="${MCP}-meta", scope="a b"`
  const good = judgeChallenge(answer(401, null, { 'www-authenticate': header }), MCP)
  assert.deepEqual([good.metadataUrl, good.scopes, good.judged.keepsOut], [`${MCP}-meta`, ['a', 'b'], 'nobody'])
  const of = (status: number, headers = {}) => {
    const { finding, keepsOut } = judgeChallenge(answer(status, null, headers), MCP).judged
    return `${finding.verdict} ${keepsOut} ${finding.text}`
  }
  assert.match(of(404), /^fail all there is nothing at https:\/\/kb\.example\.com\/mcp \(404\).*exactly \/mcp/)
  assert.match(of(301, { location: `${MCP}/` }), /^fail all .*redirects to https:\/\/kb\.example\.com\/mcp\//)
  assert.match(of(200), /^fail all .*answers 200 to a call without a token instead of 401/)
  assert.match(of(502), /^fail all .*answers 502/)
  assert.match(of(401), /^warn nobody .*names no resource_metadata/)
  assert.equal(judgeChallenge(new Unreachable('gone'), MCP).judged.finding.text, 'gone')
})

test('the resource must be exactly the address that was asked for', () => {
  const of = (resource: unknown, isFallback = false, servers: unknown = [ORIGIN]) => {
    const body = { resource, authorization_servers: servers }
    const { judged } = judgeResource(answer(200, body), { at: 'M', mcp: MCP, isFallback })
    return `${judged.finding.verdict} ${judged.keepsOut} ${judged.finding.text}`
  }
  assert.match(of(MCP), /^ok nobody/)
  assert.match(of(`${MCP}/`), /^fail exact .*slash at the end/)
  assert.match(of(ORIGIN), /^fail exact .*some clients require/)
  assert.match(of(ORIGIN, true), /^ok nobody/)
  assert.match(of('http://localhost:8080/mcp'), /^fail all .*Set PUBLIC_URL.*Host header/)
  assert.match(of('https://kb.example.com/mcpx'), /^fail all/)
  assert.match(of(MCP, false, []), /^fail all .*lacks resource or authorization_servers/)
  const lost = judgeResource(answer(200, '<html>'), { at: 'M', mcp: MCP, isFallback: false })
  assert.deepEqual([lost.metadata, lost.judged.keepsOut], [null, 'all'])
})

const METADATA = {
  issuer: ORIGIN,
  authorization_endpoint: `${ORIGIN}/oauth/authorize`,
  token_endpoint: `${ORIGIN}/oauth/token`,
  registration_endpoint: `${ORIGIN}/oauth/register`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
}

test('the metadata of the server must name its own issuer and announce what clients need', () => {
  const of = (changes: object, isFallback = false) => {
    const result = judgeServer(answer(200, { ...METADATA, ...changes }), { at: 'M', issuer: ORIGIN, isFallback })
    return result.judged.map(({ finding, keepsOut }) => `${finding.verdict} ${keepsOut} ${finding.text}`)
  }
  assert.deepEqual(of({}), ['ok nobody M has what clients need'])
  assert.match(of({ issuer: `${ORIGIN}/` })[0], /^fail all .*names the issuer https:\/\/kb\.example\.com\/, but/)
  assert.match(of({ code_challenge_methods_supported: undefined })[0], /^fail all .*does not name S256/)
  assert.match(of({ code_challenge_methods_supported: ['plain'] })[0], /S256/)
  assert.match(of({ token_endpoint_auth_methods_supported: undefined })[0], /does not name none/)
  assert.match(of({ grant_types_supported: undefined })[0], /does not name refresh_token/)
  assert.match(of({ token_endpoint: undefined })[0], /lacks authorization_endpoint or token_endpoint/)
  assert.match(of({ issuer: 'x' }, true)[0], /^warn nobody/)
  const missing = judgeServer(answer(404, { detail: [{ msg: 'Not there' }] }), {
    at: 'M',
    issuer: ORIGIN,
    isFallback: false,
  })
  assert.match(missing.judged[0].finding.text, /^M answers 404 \(Not there\)/)
})

test('the metadata of an issuer is where the RFCs put it', () => {
  assert.deepEqual(serverMetadataUrls('https://a.example/t/x'), {
    oauth: 'https://a.example/.well-known/oauth-authorization-server/t/x',
    openId: 'https://a.example/t/x/.well-known/openid-configuration',
  })
})

test('a refused preflight keeps out only clients in browsers', () => {
  const of = (status: number, headers: Record<string, string>) =>
    judgePreflight(answer(status, null, headers), 'E').finding
  const allowing = { 'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version' }
  assert.equal(of(204, { 'access-control-allow-origin': '*', ...allowing }).verdict, 'ok')
  assert.equal(of(204, { 'access-control-allow-origin': 'https://vscode.dev', ...allowing }).verdict, 'ok')
  assert.equal(of(404, { 'access-control-allow-origin': '*', ...allowing }).verdict, 'warn')
  assert.equal(of(204, allowing).verdict, 'warn')
  assert.match(of(204, { 'access-control-allow-origin': '*' }).text, /lacks content-type, mcp-protocol-version/)
})

const BODY: RegistrationBody = {
  client_name: 'App',
  redirect_uris: ['http://localhost:1/a', 'app.x:/b'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

test('the refusal of an impossible registration tells who may register', () => {
  assert.equal(judgeMode(answer(401), 'E').mode, 'key')
  assert.equal(judgeMode(answer(400), 'E').mode, 'open')
  assert.equal(judgeMode(answer(201), 'E').mode, null)
  assert.match(judgeMode(answer(429, null, { 'retry-after': '7' }), 'E').finding.text, /again in 7 s/)
  assert.match(judgeMode(answer(500), 'E').finding.text, /service's log/)
})

test('a registration must come back as it was sent', () => {
  const of = (status: number, json: object, withKey = false) =>
    judgeRegistration(answer(status, json), { body: BODY, withKey })
  assert.equal(of(201, { ...BODY, client_id: 'c' }).finding.verdict, 'ok')
  const changed = of(201, { ...BODY, client_id: 'c', redirect_uris: ['http://localhost:1/a'] })
  assert.match(changed.finding.text, /comes back changed \(redirect_uris\)/)
  assert.equal(changed.registered?.clientId, 'c')
  const basic = of(201, { ...BODY, client_id: 'c', token_endpoint_auth_method: 'client_secret_basic' })
  assert.match(basic.finding.text, /token_endpoint_auth_method/)
  const refused = of(400, { error: 'invalid_redirect_uri', error_description: 'app.x' })
  assert.equal(refused.registered, null)
  assert.match(refused.finding.text, /400 \(invalid_redirect_uri: app\.x\)/)
  assert.match(of(403, { error: 'forbidden' }, true).finding.text, /the API key may not register/)
})

const SERVER: ServerMetadata = {
  issuer: ORIGIN,
  authorizationEndpoint: METADATA.authorization_endpoint,
  tokenEndpoint: METADATA.token_endpoint,
  registrationEndpoint: null,
  grantTypes: null,
  supportsDocuments: true,
}

test('a request to sign in must lead to a page of the service', () => {
  const signIn = { clientId: 'c', redirectUri: 'http://localhost:1/a', scope: null, resource: null }
  const of = (status: number, location: string | null, body: string | null = null, clientId = 'c') => {
    const reply = answer(status, body, location === null ? {} : { location })
    const { finding, url } = judgeOpening(reply, { server: SERVER, signIn: { ...signIn, clientId } })
    return `${finding.verdict} ${url} ${finding.text}`
  }
  const document = (what: string) => `<p><code>invalid_client</code> client_id metadata document ${what}</p>`
  assert.match(of(303, '/oauth/interaction/x1'), /^ok https:\/\/kb\.example\.com\/oauth\/interaction\/x1 /)
  assert.match(
    of(303, 'http://localhost:1/a?error=invalid_target&error_description=no'),
    /^fail null .*invalid_target \(no\)/,
  )
  assert.match(of(303, 'http://10.0.0.1/oauth/interaction/x'), /^fail null .*not to a page of the service/)
  assert.match(
    of(400, null, '<p><code>invalid_client</code> no such client</p>'),
    /400 \(invalid_client no such client\)/,
  )
  assert.match(
    of(400, null, document('fetch failed'), 'https://app.example/c.json'),
    /the service cannot read https:\/\/app\.example\/c\.json, .*: let its machine reach https:\/\/app\.example by/,
  )
  const other = of(400, null, document('is not a JSON object'), 'https://app.example/c.json')
  assert.match(other, /400 \(invalid_client client_id metadata document is not a JSON object\): update the service/)
  assert.doesNotMatch(other, /let its machine reach/)
  assert.match(of(500, null), /service's log/)
})

test('the page must be shown', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' }
  assert.equal(judgePage(answer(200, '<html>', html)), null)
  assert.match(judgePage(answer(404, '', html))!.text, /gets 404: let the proxy forward \/oauth\/ and \/console\//)
  assert.match(judgePage(answer(200, {}, { 'content-type': 'application/json' }))!.text, /200 with application\/json/)
})

test('the redirect back must lead to the client’s own address, with its state and the issuer', () => {
  const signIn = { clientId: 'c', redirectUri: 'http://127.0.0.1:9/', scope: null, resource: null }
  const of = (location: string) => judgeReturn(answer(303, null, { location }), { server: SERVER, signIn, state: 's' })
  const good = `http://127.0.0.1:9/?error=access_denied&state=s&iss=${encodeURIComponent(ORIGIN)}`
  assert.equal(of(good).verdict, 'ok')
  const page = deniedPage(good, undefined)
  assert.equal(judgeReturn(answer(200, page), { server: SERVER, signIn, state: 's' }).verdict, 'ok')
  assert.equal(judgeReturn(answer(200, '<p>'), { server: SERVER, signIn, state: 's' }).verdict, 'fail')
  assert.match(of(good.replace(':9', '')).text, /not to http:\/\/127\.0\.0\.1:9\//)
  assert.match(of(good.replace('state=s', 'state=t')).text, /lacks the state or the error/)
  assert.match(of(good.replace('kb.', 'other.')).text, /names the issuer https:\/\/other\.example\.com/)
})

test('an unknown code must be refused as invalid_grant', () => {
  const of = (status: number, error?: string) =>
    judgeTokenRefusal(answer(status, { error }), { grant_type: 'refresh_token' })
  assert.equal(of(400, 'invalid_grant').verdict, 'ok')
  assert.match(of(401, 'invalid_client').text, /does not accept how the client authenticates/)
  assert.match(of(500).text, /service's log/)
  assert.match(of(200).text, /not 400 invalid_grant/)
})
