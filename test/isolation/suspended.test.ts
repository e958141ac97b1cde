import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OPERATOR } from '../../src/platform/audit/audit.ts'
import { suspendTenant } from '../../src/identity/operators/tenant-life.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import { TestService } from '../support/service.ts'
import { Factored, PASSWORD } from '../sessions/factored.ts'
import { ask, type Credential, each, type Question, type RawAnswer } from './answers.ts'
import { isGuarded, questionOf, ROWS } from './rows.ts'
import { assertUntouched } from './tables.ts'
import { ACTIONS } from './model.ts'
import { buildRealm, PAGE, type Realm } from './world.ts'

/** Credential that a request carries outside of its body. */
interface Carried extends Credential {
  readonly headers?: Readonly<Record<string, string>>
}

/** Kinds of credentials that open guarded routes. */
const OPENERS = ['key', 'keyOfNobody', 'publishable', 'inAddress', 'session', 'token'] as const
type Kind = (typeof OPENERS)[number] | 'registration' | 'step'

/** Routes that take secrets in their bodies or forms, or none at all. A public route that is missing fails the test. */
const BY_BODY = new Set([
  'POST /oauth/token',
  'POST /oauth/revoke',
  'POST /oauth/introspect',
  'POST /api/session',
  'POST /api/session/second-factor',
  'POST /api/session/passkey',
  'POST /api/session/invitation',
  'POST /api/session/invitation/show',
  'POST /api/session/new-password',
  'POST /api/session/new-password/show',
  'POST /api/session/forgotten-password',
  'POST /sign-in/provider/logout',
])
const BY_SESSION = /^(\w+ \/api\/session\/factors\b|(GET|DELETE) \/api\/session$)/
const BY_STEP = /^\w+ \/api\/session\/second-factor(\/passkey-options)?$/
const BY_REGISTRATION = /^(GET|PUT|DELETE) \/oauth\/register\/\{client_id\}$/
/** Routes that tell every caller the same, whatever becomes of tenants. */
const TELLS_ALL = new Set([
  'GET /api/session/methods',
  'POST /api/session/passkey-options',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /oauth/jwks',
  'GET /healthz',
  'GET /readyz',
])
/** Signing out ends nothing but the own session, and a person at a strange computer must always be able to. */
const SIGN_OUT = 'DELETE /api/session'

const UNKNOWN_KEY = `Bearer pk_${'0'.repeat(40)}`

const isSuspension = ({ status, json }: RawAnswer): boolean =>
  status === 403 && (json?.detail?.[0]?.type === 'tenant_suspended' || /tenant is suspended/.test(JSON.stringify(json)))

onAnyDatabase('every credential of a suspended tenant', (kind) => {
  let service: TestService
  let realm: Realm
  let carried: Record<Kind, Carried>
  let person: Factored
  let links: { readonly invitation: string; readonly reset: string }
  let client: { readonly client_id: string; readonly client_secret: string }
  let token: string

  before(async () => {
    service = await TestService.start(kind, { RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '0' })
    realm = await buildRealm(service, 'halted', false)
    const origin = service.service.publicUrl
    const { userId } = await service.user({ tenant: 'halted', email: 'granting@halted.example' })
    const records = await storeOAuthRecords(service.database, { tenantId: 'halted', userId, origin })
    const admin = { authorization: realm.owner.authorization }
    const made = await ask(service, admin, {
      method: 'POST',
      path: '/oauth/register',
      body: {
        client_name: 'App',
        redirect_uris: ['http://127.0.0.1/cb'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    })
    client = { client_id: made.json.client_id, client_secret: made.json.client_secret }
    token = records.token
    const reader = await service.user({ tenant: 'halted', email: 'reset@halted.example', role: 'reader' })
    const linkOf = async (path: string, body?: object): Promise<string> =>
      (await ask(service, admin, { method: 'POST', path, body })).json.link.split('#')[1]
    links = {
      invitation: await linkOf('/api/knowledge/invitations', { email: 'new@halted.example', role: 'reader' }),
      reset: await linkOf(`/api/knowledge/users/${reader.userId}/password-reset`),
    }
    person = await Factored.withApp(service, 'boss@halted.example', { role: 'admin', tenant: 'halted' })
    const cookieOf = (browser: Factored['browser']) => [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const waiting = person.elsewhere()
    assert.equal((await waiting.signIn(person.email, PASSWORD)).status, 202)
    const inBrowser = (browser: Factored['browser']): Carried => ({
      authorization: null,
      headers: { cookie: cookieOf(browser), origin: service.service.url },
    })
    const visitor = { ...realm.visitor, headers: { origin: PAGE } }
    carried = {
      key: admin,
      keyOfNobody: { authorization: `Bearer ${await service.key([...ACTIONS, 'visibility:restricted'], 'halted')}` },
      publishable: visitor,
      inAddress: { ...visitor, isKeyInAddress: true },
      session: inBrowser(person.browser),
      token: { authorization: `Bearer ${token}` },
      registration: { authorization: `Bearer ${made.json.registration_access_token}` },
      step: inBrowser(waiting),
    }
    // Each of them is good before the tenant is suspended, or the tests could not fail.
    const suggest = questionOf('GET /api/knowledge/suggest', realm.ids)
    const good: Record<Kind, Question> = {
      key: { method: 'GET', path: '/api/session' },
      keyOfNobody: { method: 'GET', path: '/api/session' },
      publishable: suggest,
      inAddress: suggest,
      session: { method: 'GET', path: '/api/session' },
      token: { method: 'GET', path: '/api/session' },
      registration: { method: 'GET', path: `/oauth/register/${client.client_id}` },
      step: { method: 'GET', path: '/api/session/second-factor' },
    }
    for (const [name, question] of Object.entries(good))
      assert.equal((await send(carried[name as Kind], question)).status, 200, name)
    await suspendTenant(service.database, 'halted', OPERATOR)
  })
  after(() => service.stop())

  const send = (who: Carried, question: Question): Promise<RawAnswer> =>
    ask(service, who, { ...question, headers: { ...question.headers, ...who.headers } })
  const inDefault = (route: string): Question => questionOf(route, { ...realm.ids, client_id: client.client_id })

  test('is refused on every guarded route as of a suspended tenant, and on no other opens anything', () =>
    assertUntouched(service.database, ['halted'], async () => {
      const cells = Object.keys(ROWS)
        .filter((route) => route !== SIGN_OUT)
        .flatMap((route) => Object.keys(carried).map((name) => ({ route, name: name as Kind })))
      await each(cells, async ({ route, name }) => {
        const who = carried[name]
        const answer = await send(who, inDefault(route))
        if (isSuspension(answer)) return
        const row = ROWS[route]
        const isOpener = (OPENERS as readonly string[]).includes(name)
        // A key in an address counts as no credential except where pages ask with one.
        const mustBe403 = isGuarded(row) && isOpener && name !== 'inAddress'
        assert.ok(!mustBe403, `${route} with ${name}: ${answer.text}`)
        assert.ok(!(BY_REGISTRATION.test(route) && name === 'registration'), `${route} with ${name}: ${answer.text}`)
        if (answer.status === 401) return
        const { cookie: _, ...headers } = who.headers ?? {}
        const nobody = who.isKeyInAddress ? { ...who, authorization: UNKNOWN_KEY } : { authorization: null, headers }
        const nobodys = await send(nobody, inDefault(route))
        // A challenge is another one each time.
        if (TELLS_ALL.has(route)) return assert.equal(answer.status, nobodys.status, route)
        assert.equal(answer.bytes, nobodys.bytes, `${route} with ${name} differs from the answer without a credential`)
      })
    }))

  test('opens nothing of a page that is no part of the documented routes', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const accept = { accept: 'application/json, text/event-stream' }
    for (const name of ['key', 'keyOfNobody', 'token'] as const) {
      const answer = await send(carried[name], { method: 'POST', path: '/mcp', body: call, headers: accept })
      assert.ok(isSuspension(answer), `${name}: ${answer.text}`)
    }
    const authorize = `/oauth/authorize?client_id=${client.client_id}`
    for (const path of [authorize, '/oauth/interaction/unknown/details']) {
      const { status } = await send(carried.session, { method: 'GET', path })
      assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
    }
  })

  test('in a body is refused too: secrets of clients, tokens, passwords, second factors and links', () =>
    assertUntouched(service.database, ['halted'], async () => {
      const origin = service.service.url
      const form = (path: string, fields: Record<string, string>): Question => ({ method: 'POST', path, form: fields })
      const post = (path: string, body: object, cookie?: string): Question => ({
        method: 'POST',
        path: `/api/session${path}`,
        body,
        headers: { origin, ...(cookie === undefined ? {} : { cookie }) },
      })
      const suspended = [
        form('/oauth/token', { grant_type: 'client_credentials', ...client }),
        form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...client }),
        form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: 'another' }),
        form('/oauth/token', { grant_type: 'authorization_code', code: token, client_id: 'another' }),
        form('/oauth/revoke', { token, ...client }),
        form('/oauth/introspect', { token, ...client }),
        post('', { email: person.email, password: PASSWORD }),
      ]
      for (const question of suspended) {
        const answer = await send({ authorization: null }, question)
        assert.ok(isSuspension(answer), `${question.path}: ${answer.text}`)
      }
      const { cookie } = carried.step.headers!
      const password = 'another horse battery'
      const unknown = [
        post('/second-factor', { recovery_code: person.recoveryCodes[0] }, cookie),
        post('/invitation/show', { token: links.invitation }),
        post('/invitation', { token: links.invitation, name: 'New', password }),
        post('/new-password/show', { token: links.reset }),
        post('/new-password', { token: links.reset, password }),
      ]
      for (const question of unknown) {
        const { status, text } = await send({ authorization: null }, question)
        assert.ok(status === 401 || status === 404, `${question.path}: ${text}`)
      }
    }))

  test('has a place in these tests for each route that takes no credential of the header', () => {
    const unplaced = Object.entries(ROWS).flatMap(([route, row]) => {
      const isPlaced =
        isGuarded(row) ||
        row.operator === true ||
        row.scopes.length > 0 ||
        BY_BODY.has(route) ||
        TELLS_ALL.has(route) ||
        [BY_SESSION, BY_STEP, BY_REGISTRATION].some((pattern) => pattern.test(route))
      return isPlaced ? [] : [route]
    })
    assert.deepEqual(unplaced, [], 'say in test/isolation/suspended.test.ts which secrets these routes take')
  })

  test('still signs out, which ends the own session and nothing else', async () => {
    const { status } = await send(carried.session, { method: 'DELETE', path: '/api/session' })
    assert.equal(status, 204)
  })
})
