import assert from 'node:assert/strict'
import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { JWTPayload } from 'jose'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { codeOf } from '../support/authenticator-app.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import { TestService } from '../support/service.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { Browser } from './browser.ts'
import { putRules } from '../../src/identity/sign-in-rules/store.ts'
import { Factored } from './factored.ts'
import { CLIENT, LOGOUT_EVENTS, OutsideProvider } from './outside-provider.ts'
import { START, walk } from './provider-walk.ts'

const LOGOUT = '/sign-in/provider/logout'

onAnyDatabase('a session that ends at the provider', (kind) => {
  let outside: OutsideProvider
  let service: TestService
  /** Each sender has another address, which has a limit of its own. */
  let addresses = 0

  const settings = (issuer = outside.issuer) => ({
    SIGN_IN_ISSUER: issuer,
    SIGN_IN_CLIENT_ID: CLIENT.id,
    SIGN_IN_CLIENT_SECRET: CLIENT.secret,
    TRUST_PROXY: 'true',
  })

  before(async () => {
    outside = await OutsideProvider.start()
    service = await TestService.start(kind, settings())
    outside.open([`${service.service.publicUrl}/sign-in/provider/callback`])
    for (const id of ['one', 'two']) await service.tenant(id)
    // People with a password are linked by their address here, as in tenants that want no proof.
    const rules = { rules: JSON.stringify({ link_proof: false }), version: 1 }
    for (const id of ['default', 'one', 'two']) await putRules(service.database.queries, id, rules)
  })
  after(async () => {
    await service.stop()
    await outside.stop()
  })

  const address = () => `198.51.100.${++addresses}`
  const newUser = (email: string, tenant = 'default') =>
    createUser(service.database, tenant, { email, name: 'Somebody', role: 'editor' })
  /** Signs an account in, in a browser of its own. */
  const signIn = async (subject: string, tenant?: string): Promise<Browser> => {
    outside.subject = subject
    outside.accounts.set(subject, { email: `${subject}@x`, email_verified: true })
    const browser = new Browser(service)
    browser.proxied = { 'x-forwarded-for': address() }
    assert.equal(await walk(service, browser, tenant === undefined ? START : `${START}?tenant=${tenant}`), '/console')
    return browser
  }
  const isIn = async (browser: Browser) => (await browser.call('GET', '/api/session')).status === 200
  const send = (token: string, from = address(), base?: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from }
    return service.call('POST', LOGOUT, { key: null, headers, body: `logout_token=${encodeURIComponent(token)}` }, base)
  }
  const end = async (claims: JWTPayload) => {
    const { status, body, headers } = await send(await outside.logoutToken(claims))
    assert.deepEqual([status, body, headers.get('cache-control')], [200, null, 'no-store'])
  }
  const signedOut = async (tenant: string) =>
    service.database.queries
      .selectFrom('audit_log')
      .select(['source', 'user_id'])
      .where('tenant_id', '=', tenant)
      .where('action', '=', 'sign_out')
      .execute()

  test('ends here as the provider sends it, in that browser and no other', async () => {
    await newUser('ann@x')
    const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
    const [ofPhone] = outside.sids.slice(-2)
    await outside.logout('ann', ofPhone)
    assert.deepEqual([await isIn(phone), await isIn(laptop)], [false, true])
    await end({ sid: outside.sids.at(-1) })
    assert.equal(await isIn(laptop), false)
  })

  test('an account that is signed out everywhere loses its sessions in every tenant, and no other account does', async () => {
    const users = { one: await newUser('bob@x', 'one'), two: await newUser('bob@x', 'two') }
    await newUser('bea@x', 'one')
    const bob = [await signIn('bob', 'one'), await signIn('bob', 'one'), await signIn('bob', 'two')]
    const bea = await signIn('bea')
    await end({ sub: 'bob' })
    for (const browser of bob) assert.equal(await isIn(browser), false)
    assert.equal(await isIn(bea), true)
    const gone = (id: string) => ({ source: 'service', user_id: id })
    assert.deepEqual(await signedOut('one'), [gone(users.one.id), gone(users.one.id)])
    assert.deepEqual(await signedOut('two'), [gone(users.two.id)])
    // The person may come again.
    assert.equal(await isIn(await signIn('bob', 'two')), true)
  })

  test('a session that the person opened by another way stays, and so do applications that they allowed', async () => {
    const person = await Factored.join(service, 'cem@x')
    const of = { tenantId: 'default', userId: person.userId, origin: service.service.publicUrl }
    const { token } = await storeOAuthRecords(service.database, of)
    const browser = await signIn('cem')
    await end({ sub: 'cem' })
    assert.deepEqual([await isIn(browser), await isIn(person.browser)], [false, true])
    const list = await service.call('GET', '/api/knowledge/knowledge-entries', { key: token })
    assert.equal(list.status, 200)
  })

  test('the session and the account have to belong together where both are named', async () => {
    for (const name of ['dan', 'eve']) await newUser(`${name}@x`)
    const dan = await signIn('dan')
    const eve = await signIn('eve')
    await end({ sub: 'dan', sid: outside.sids.at(-1) })
    assert.deepEqual([await isIn(dan), await isIn(eve)], [true, true])
    // The ID token of this session named no session, so it may be the one.
    await service.database.queries
      .updateTable('sessions')
      .set({ provider_sid: null })
      .where('provider_subject', '=', 'dan')
      .execute()
    await end({ sub: 'dan', sid: 'another' })
    assert.deepEqual([await isIn(dan), await isIn(eve)], [false, true])
  })

  test('a sign-in that waits for its second factor ends too, and one that had it ends as well', async () => {
    const person = await Factored.withApp(service, 'fay@x', { tenant: 'one' })
    const change = { settings: JSON.stringify({ requireSecondFactor: 'all' }) }
    await service.database.queries.updateTable('tenants').set(change).where('tenant_id', '=', 'one').execute()
    const begin = async () => {
      outside.subject = 'fay'
      outside.accounts.set('fay', { email: 'fay@x', email_verified: true })
      const browser = new Browser(service, service.service.publicUrl)
      browser.proxied = { 'x-forwarded-for': address() }
      assert.match(await walk(service, browser), /second_step=1/)
      return browser
    }
    const finish = (browser: Browser, steps: number) =>
      browser.call('POST', '/api/session/second-factor', { code: codeOf(person.secret, steps) })
    const done = await begin()
    assert.equal((await finish(done, 0)).status, 200)
    const waiting = await begin()
    await end({ sub: 'fay' })
    const late = await finish(waiting, 1)
    assert.deepEqual([late.status, late.body.detail[0].type], [401, 'sign_in_again'])
    assert.equal(await isIn(done), false)
  })

  test('a token that the provider did not make for this, or made for something else, ends nothing', async () => {
    await newUser('gil@x')
    const browser = await signIn('gil')
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
    const now = Math.floor(Date.now() / 1_000)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const tokenWith = (claims: JWTPayload, header = {}) => outside.logoutToken({ sub: 'gil', ...claims }, header)
    const [, claims] = (await tokenWith({})).split('.')
    const tokens = {
      'signed with another key': await tokenWith({}, { key: other }),
      'for another client': await tokenWith({ aud: 'another' }),
      'for nobody': await tokenWith({ aud: undefined }),
      'of another provider': await tokenWith({ iss: 'https://login.example' }),
      'with a nonce, like an ID token': await tokenWith({ nonce: 'n' }),
      'without events': await tokenWith({ events: undefined }),
      'with events of another kind': await tokenWith({ events: { 'https://example.com/event': {} } }),
      'with an event that says nothing': await tokenWith({ events: { [Object.keys(LOGOUT_EVENTS)[0]]: true } }),
      'with events as a list': await tokenWith({ events: Object.keys(LOGOUT_EVENTS) }),
      'without a signature': `${part({ alg: 'none', typ: 'logout+jwt' })}.${claims}.`,
      'with the algorithm none and a signature': `${part({ alg: 'none' })}.${claims}.${part({ a: 1 })}`,
      'signed with the client’s secret': await tokenWith(
        {},
        { alg: 'HS256', key: createSecretKey(CLIENT.secret, 'utf8') },
      ),
      expired: await tokenWith({ iat: now - 300, exp: now - 120 }),
      'without an end': await tokenWith({ exp: undefined }),
      'without a beginning': await tokenWith({ iat: undefined }),
      'from the future': await tokenWith({ iat: now + 600, exp: now + 700 }),
      'an hour old, though it never ends': await tokenWith({ iat: now - 3_600, exp: now + 86_400_000 }),
      'without an id': await tokenWith({ jti: undefined }),
      'with an id that is no text': await tokenWith({ jti: 5 as unknown as string }),
      'that names nobody': await tokenWith({ sub: undefined }),
      'that names no text': await tokenWith({ sid: ['x'] }),
      'of another kind': await tokenWith({}, { typ: 'at+jwt' }),
      'changed afterwards': (await tokenWith({})).replace(
        /\.[^.]+\./,
        `.${part({ sub: 'gil', events: LOGOUT_EVENTS })}.`,
      ),
      'that is no token': 'x.y.z',
    }
    for (const [what, token] of Object.entries(tokens)) {
      const { status, body, headers } = await send(token)
      assert.deepEqual([status, body.error], [400, 'invalid_request'], what)
      assert.match(body.error_description, /^[ !#-[\]-~]+$/, what)
      assert.equal(headers.get('cache-control'), 'no-store', what)
    }
    assert.equal(await isIn(browser), true)
    await end({ sub: 'gil' })
    assert.equal(await isIn(browser), false)
  })

  test('a token ends sessions once, in all processes together', async () => {
    await newUser('hal@x')
    const token = await outside.logoutToken({ sub: 'hal' })
    const sibling = await service.sibling(settings())
    try {
      const places = [service.service.url, sibling.url, service.service.url, sibling.url]
      const answers = await Promise.all(places.map((url) => send(token, address(), url)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
      const browser = await signIn('hal')
      const again = await send(token, address(), sibling.url)
      assert.deepEqual([again.status, again.body.error_description], [400, 'The token was used before'])
      assert.equal(await isIn(browser), true)
    } finally {
      await sibling.stop()
    }
  })

  test('a token is remembered for as long as it is good, and then forgotten', async () => {
    const { database } = service
    const rows = () => database.queries.selectFrom('used_logout_tokens').select('expires_at').execute()
    await end({ sub: 'nobody' })
    const sweeper = startSweeper(database, assert.ifError)
    await sweeper.sweep(Date.now() + 110_000)
    assert.notEqual((await rows()).length, 0)
    await sweeper.sweep(Date.now() + 700_000)
    await sweeper.close()
    assert.deepEqual(await rows(), [])
  })

  test('overlong tokens and other bodies are refused before they are read', async () => {
    const token = await outside.logoutToken({ sub: 'x'.repeat(8_000) })
    const long = await send(token)
    assert.deepEqual([long.status, long.body.detail[0].loc], [422, ['body', 'logout_token']])
    assert.equal((await send('x'.repeat(20_000))).status, 413)
    const json = await service.call('POST', LOGOUT, { key: null, body: { logout_token: 'x' } })
    assert.equal(json.status, 415)
    const missing = await service.call('POST', LOGOUT, {
      key: null,
      body: 'other=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.deepEqual([missing.status, missing.body.detail[0].loc], [422, ['body', 'logout_token']])
  })

  test('refused tokens of an address have a limit, and good ones have none', async () => {
    const [guesser, provider] = [address(), address()]
    const statuses = new Map<number, number>()
    for (let i = 0; i < 70; i++) {
      const { status } = await send('x.y.z', guesser)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      assert.equal((await send(await outside.logoutToken({ sub: 'nobody' }), provider)).status, 200)
    }
    assert.ok(statuses.get(400)! >= 60 && statuses.get(429)! > 0, JSON.stringify([...statuses]))
  })

  test('nothing ends while the provider does not tell its keys, nor where there is no provider', async () => {
    const silent = await OutsideProvider.start()
    const [cut, without] = [await service.sibling(settings(silent.issuer)), await service.sibling()]
    try {
      const token = await silent.logoutToken({ sub: 'ann' })
      const early = await send(token, address(), cut.url)
      assert.deepEqual([early.status, early.body.error], [400, 'temporarily_unavailable'])
      silent.open([`${cut.publicUrl}/sign-in/provider/callback`])
      assert.equal((await send(token, address(), cut.url)).status, 200)
      const nowhere = await send(token, address(), without.url)
      assert.deepEqual([nowhere.status, nowhere.body.error], [400, 'invalid_request'])
    } finally {
      for (const each of [cut, without, silent]) await each.stop()
    }
  })
})
