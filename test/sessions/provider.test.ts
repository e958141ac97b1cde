import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { codeBefore } from '../support/authenticator-app.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Browser } from './browser.ts'
import { Factored, FACTORS, PASSWORD, said } from './factored.ts'
import { CLIENT, OutsideProvider } from './outside-provider.ts'
import { callbackOf, redirected, START, walk } from './provider-walk.ts'

const PROVIDER = '/api/knowledge/sign-in-provider'

onAnyDatabase('signing in at an external provider', (kind) => {
  let outside: OutsideProvider
  let service: TestService

  const SETTINGS = () => ({
    SIGN_IN_ISSUER: outside.issuer,
    SIGN_IN_CLIENT_ID: CLIENT.id,
    SIGN_IN_CLIENT_SECRET: CLIENT.secret,
    SIGN_IN_NAME: 'Company login',
  })
  const providerOf = async () => (await service.call('GET', PROVIDER)).body.provider

  before(async () => {
    outside = await OutsideProvider.start()
    service = await TestService.start(kind, SETTINGS())
  })
  after(async () => {
    await service.stop()
    await outside.stop()
  })

  const newUser = (email: string, tenant = 'default') =>
    createUser(service.database, tenant, { email, name: 'Somebody', role: 'editor' })
  /** Sets the account of the next sign-in. */
  const as = (subject: string, email = `${subject}@x`, verified = true) => {
    outside.subject = subject
    outside.accounts.set(subject, { email, email_verified: verified })
  }
  const audited = async (action: string, userId: string) =>
    service.database.queries
      .selectFrom('audit_log')
      .select('source')
      .where('action', '=', action as 'link')
      .where((eb) => eb.or([eb('resource_id', '=', userId), eb('user_id', '=', userId)]))
      .execute()

  test('while the provider is unavailable, people are told so and the service continues', async () => {
    outside.subject = null
    const closed = await redirected(service, new Browser(service), `${START}?return_to=/console/entries`)
    assert.equal(closed, '/console/sign-in?fault=provider_failed&return_to=%2Fconsole%2Fentries')
    assert.equal((await service.call('GET', '/healthz')).status, 200)
    assert.equal((await providerOf()).answers, false)
    outside.open([`${service.service.publicUrl}/sign-in/provider/callback`])
  })

  test('administrators read which provider it is, what to register there, and whether it answers', async () => {
    const { answers, checked_at: checked, ...rest } = await providerOf()
    const redirect = `${service.service.publicUrl}/sign-in/provider/callback`
    const addresses = { redirect_uri: redirect, backchannel_logout_uri: redirect.replace('callback', 'logout') }
    const facts = { name: 'Company login', issuer: outside.issuer, scopes: 'openid email', ...addresses }
    assert.deepEqual(rest, facts)
    // The result of the check in the test before is reused for ten seconds.
    assert.deepEqual([answers, checked], [false, (await providerOf()).checked_at])
    const fresh = await service.sibling(SETTINGS())
    try {
      const { body } = await service.call('GET', PROVIDER, {}, fresh.url)
      assert.equal(body.provider.answers, true)
    } finally {
      await fresh.stop()
    }
    const without = await service.sibling()
    try {
      assert.deepEqual((await service.call('GET', PROVIDER, {}, without.url)).body, { provider: null })
    } finally {
      await without.stop()
    }
    const { key } = await service.user({ email: 'no-admin@x', role: 'editor' })
    assert.equal((await service.call('GET', PROVIDER, { key })).status, 403)
  })

  test('its button has the name it was given', async () => {
    const { body } = await service.call('GET', '/api/session/methods', { key: null })
    assert.deepEqual(body, { password: true, provider: { name: 'Company login' } })
  })

  test('a user with the verified address is linked once, and stays linked when the address changes', async () => {
    const user = await newUser('ann@x')
    as('subject-ann', 'Ann@x')
    const browser = new Browser(service)
    assert.equal(await walk(service, browser, `${START}?return_to=/console/entries?q=1`), '/console/entries?q=1')
    assert.equal((await browser.call('GET', '/api/session')).body.user.id, user.id)
    assert.deepEqual([...browser.cookies.keys()], ['ks_session'])
    assert.equal((await audited('link', user.id)).length, 1)
    as('subject-ann', 'renamed@x', false)
    const again = new Browser(service)
    assert.equal(await walk(service, again, START), '/console')
    assert.equal((await again.call('GET', '/api/session')).body.user.id, user.id)
    assert.equal((await audited('link', user.id)).length, 1)
    assert.deepEqual(
      (await audited('sign_in', user.id)).map(({ source }) => source),
      ['console', 'console'],
    )
  })

  const LINK_PROOF = '/console/sign-in?fault=link_proof_needed&return_to=%2Fconsole'
  const withPassword = async (email: string) => {
    const user = await newUser(email)
    await givePassword(service.database, 'default', user.id, PASSWORD)
    return user
  }

  test('a local account with the address is linked once it was proved in the same browser, and not before', async () => {
    const user = await withPassword('proved@x')
    await withPassword('beside@x')
    as('proved')
    const browser = new Browser(service)
    assert.equal(await walk(service, browser, START), LINK_PROOF)
    assert.equal((await browser.call('GET', '/api/session')).status, 401)
    // Whoever has the address at the provider, and not the password, gets no further, however often they come.
    assert.equal(await walk(service, new Browser(service), START), LINK_PROOF)
    assert.equal((await browser.signIn('proved@x', 'another horse battery')).status, 401)
    const elsewhere = new Browser(service)
    assert.equal((await elsewhere.signIn('proved@x', PASSWORD)).status, 200)
    assert.equal((await audited('link', user.id)).length, 0, 'a sign-in elsewhere proves nothing for this browser')
    assert.equal((await browser.signIn('beside@x', PASSWORD)).status, 200)
    assert.equal((await audited('link', user.id)).length, 0, 'nor does another account')
    assert.equal(await walk(service, browser, START), LINK_PROOF)
    assert.equal((await browser.signIn('proved@x', PASSWORD)).status, 200)
    assert.equal((await audited('link', user.id)).length, 1)
    assert.ok(!browser.cookies.has('ks_link'))
    const next = new Browser(service)
    assert.equal(await walk(service, next, START), '/console')
    assert.equal((await next.call('GET', '/api/session')).body.user.id, user.id)
    // Who has a password gives it to add a factor, however fresh the sign-in at the provider is.
    assert.equal(said(await next.call('POST', `${FACTORS}/totp`, {})), '403 body proof_needed')
    assert.equal((await next.call('POST', `${FACTORS}/totp`, { password: PASSWORD })).status, 200)
  })

  test('a person with a second factor proves that too before their account is linked', async () => {
    const person = await Factored.withApp(service, 'factored@x')
    as('factored')
    const browser = person.elsewhere()
    assert.equal(await walk(service, browser, START), LINK_PROOF)
    assert.equal((await browser.signIn('factored@x', PASSWORD)).status, 202)
    assert.equal((await audited('link', person.userId)).length, 0)
    const proof = { recovery_code: person.recoveryCodes[0] }
    assert.equal((await browser.call('POST', '/api/session/second-factor', proof)).status, 200)
    assert.equal((await audited('link', person.userId)).length, 1)
  })

  test('a person without password and factor adds their first one right after signing in, and later signs in again', async () => {
    const user = await newUser('bare@x')
    as('bare')
    const browser = new Browser(service)
    const add = (path: string) => browser.call('POST', `${FACTORS}/${path}`, {})
    await walk(service, browser, START)
    const beganAt = (time: number) =>
      service.database.queries
        .updateTable('sessions')
        .set({ created_at: time })
        .where('user_id', '=', user.id)
        .execute()
    await beganAt(Date.now() - 700_000)
    for (const path of ['totp', 'passkey-options']) assert.equal(said(await add(path)), '403 body proof_needed')
    await beganAt(Date.now())
    assert.equal((await add('passkey-options')).status, 200)
    const { status, body } = await add('totp')
    assert.equal(status, 200)
    const code = await codeBefore(body.secret)
    assert.equal((await browser.call('POST', `${FACTORS}/totp/confirm`, { code })).status, 200)
    // From now on the factor is the proof, however fresh the session is.
    for (const path of ['totp', 'passkey-options']) assert.equal(said(await add(path)), '403 body proof_needed')
  })

  test('a tenant that wants no proof links by the address alone', async () => {
    const path = '/api/knowledge/sign-in-rules'
    const { body: rules } = await service.call('GET', path)
    assert.equal(rules.link_proof, true)
    assert.equal((await service.call('PUT', path, { body: { ...rules, link_proof: false } })).status, 200)
    try {
      await withPassword('trusting@x')
      as('trusting')
      assert.equal(await walk(service, new Browser(service), START), '/console')
    } finally {
      await service.call('PUT', path, { body: rules })
    }
  })

  test('signing out leads on to the end of the session at the provider, with its ID token', async () => {
    await newUser('leaving@x')
    as('leaving')
    const browser = new Browser(service)
    await walk(service, browser, START)
    const { status, body } = await browser.call('DELETE', '/api/session')
    assert.equal(status, 200)
    const address = new URL(body.provider_sign_out)
    assert.ok(address.href.startsWith(outside.issuer))
    assert.equal(address.searchParams.get('client_id'), CLIENT.id)
    assert.equal(decodeJwt(address.searchParams.get('id_token_hint')!).sub, 'leaving')
    assert.equal((await fetch(address)).status, 200)
    const stored = await service.database.queries.selectFrom('sessions').select('provider_id_token').execute()
    assert.ok(stored.every(({ provider_id_token: sealed }) => sealed === null || sealed.startsWith('v1.')))
    await withPassword('local@x')
    const local = new Browser(service)
    await local.signIn('local@x', PASSWORD)
    assert.equal((await local.call('DELETE', '/api/session')).status, 204)
  })

  test('an ID token that was issued in the future is refused', async () => {
    await newUser('future@x')
    as('future')
    outside.secondsAhead = 120
    try {
      const failed = '/console/sign-in?fault=provider_failed&return_to=%2Fconsole'
      assert.equal(await walk(service, new Browser(service), START), failed)
      outside.secondsAhead = 30
      assert.equal(await walk(service, new Browser(service), START), '/console', 'clocks may differ a little')
    } finally {
      outside.secondsAhead = 0
    }
  })

  test('an address that signs in too often is led back to the page, which says so', async () => {
    const busy = await service.sibling({ ...SETTINGS(), TRUST_PROXY: 'true' })
    try {
      const begin = async (address: string) =>
        (
          await fetch(`${busy.url}${START}?return_to=/console/entries`, {
            redirect: 'manual',
            headers: { 'x-forwarded-for': address },
          })
        ).headers.get('location')!
      const many = '/console/sign-in?fault=too_many_tries&return_to=%2Fconsole%2Fentries'
      for (let i = 0; i < 200 && (await begin('192.0.2.1')) !== many; i++);
      assert.equal(await begin('192.0.2.1'), many)
      assert.ok((await begin('192.0.2.2')).startsWith(outside.issuer))
    } finally {
      await busy.stop()
    }
  })

  test('no user is created, and no person is signed in as another', async () => {
    const unknown = '/console/sign-in?fault=provider_unknown_user&return_to=%2Fconsole'
    const attempt = async () => {
      const browser = new Browser(service)
      const end = await walk(service, browser, START)
      assert.deepEqual([...browser.cookies.keys()], end === unknown ? [] : ['ks_session'])
      return end
    }
    as('stranger')
    assert.equal(await attempt(), unknown)
    await newUser('unverified@x')
    as('unverified', 'unverified@x', false)
    assert.equal(await attempt(), unknown)
    const disabled = await newUser('gone@x')
    await changeUser(service.database, 'default', disabled.id, { disabled: true })
    as('gone')
    assert.equal(await attempt(), unknown)
    // Another person now has the address of a user who is already linked.
    await newUser('passed-on@x')
    as('first-holder', 'passed-on@x')
    assert.equal(await attempt(), '/console')
    as('second-holder', 'passed-on@x')
    assert.equal(await attempt(), unknown)
    as('first-holder', 'passed-on@x')
    assert.equal(await attempt(), '/console')
  })

  test('a person in several tenants has to name one', async () => {
    for (const id of ['one', 'two']) {
      await service.tenant(id)
      await newUser('both@x', id)
    }
    as('both')
    const needed = '/console/sign-in?fault=tenant_needed&return_to=%2Fconsole'
    assert.equal(await walk(service, new Browser(service), START), needed)
    const browser = new Browser(service)
    assert.equal(await walk(service, browser, `${START}?tenant=two`), '/console')
    assert.equal((await browser.call('GET', '/api/session')).body.tenant.id, 'two')
  })

  test('a link on a foreign page chooses no tenant for a person', async () => {
    const { app } = service.service
    const begin = async (site: string | null, url: string) =>
      (await app.inject({ url, headers: site === null ? {} : { 'sec-fetch-site': site } })).headers.location!
    const signInPage = '/console/sign-in?fault=tenant_needed&return_to=%2Fconsole'
    for (const site of ['cross-site', 'same-site'])
      assert.equal(await begin(site, `${START}?tenant=default`), signInPage)
    for (const site of ['same-origin', 'none', null])
      assert.ok((await begin(site, `${START}?tenant=default`)).startsWith(outside.issuer), String(site))
    assert.ok((await begin('cross-site', START)).startsWith(outside.issuer), 'no tenant is named')
  })

  test('the provider’s answer counts once, in the browser that asked, and unchanged', async () => {
    await newUser('careful@x')
    as('careful')
    const browser = new Browser(service)
    const callback = await callbackOf(service, browser)
    const failed = '/console/sign-in?fault=provider_failed&return_to=%2Fconsole'
    assert.equal(await redirected(service, new Browser(service), callback), failed)
    const other = new Browser(service)
    await callbackOf(service, other)
    assert.equal(await redirected(service, other, callback), failed)
    const cookie = [...browser.cookies][0]
    assert.equal(cookie[0], 'ks_sign_in')
    assert.equal(await redirected(service, browser, callback), '/console')
    browser.cookies.set(...cookie)
    assert.equal(await redirected(service, browser, callback), failed)
    const changed = new Browser(service)
    const second = await callbackOf(service, changed)
    assert.equal(await redirected(service, changed, second.replace(/state=[^&]*/, 'state=x')), failed)
    outside.subject = null
    assert.equal(await walk(service, new Browser(service), START), failed)
  })

  test('at a tenant’s own host only its users can sign in, and the provider sends them back there', async () => {
    await service.tenant('hosted')
    await changeTenant(service.database, 'hosted', { host: 'wissen.example' })
    const { headers } = await service.service.app.inject({ url: START, headers: { host: 'wissen.example' } })
    const parameters = new URL(headers.location!).searchParams
    assert.equal(parameters.get('redirect_uri'), 'http://wissen.example/sign-in/provider/callback')
    const elsewhere = await service.service.app.inject({ url: START, headers: { host: 'made-up.example' } })
    const usual = new URL(elsewhere.headers.location!).searchParams
    assert.equal(usual.get('redirect_uri'), `${service.service.publicUrl}/sign-in/provider/callback`)
    assert.deepEqual([parameters.get('code_challenge_method'), parameters.get('scope')], ['S256', 'openid email'])
  })

  test('an address outside of the service is refused as the page after signing in', async () => {
    for (const path of ['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      const answer = await service.call('GET', `${START}?return_to=${encodeURIComponent(path)}`, { key: null })
      assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['query', 'return_to']], path)
    }
  })
})
