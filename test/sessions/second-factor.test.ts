import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { codeBefore, codeOf } from '../support/authenticator-app.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Factored, FACTORS, finish, PASSWORD, said } from './factored.ts'
import { until } from '../support/patience.ts'

const CATEGORIES = '/api/knowledge/categories'

onAnyDatabase('a second factor', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const audited = async (userId: string) =>
    (
      await service.database.queries
        .selectFrom('audit_log')
        .select(['action', 'resource_type'])
        .where((eb) => eb.or([eb('user_id', '=', userId), eb('resource_id', '=', userId)]))
        .orderBy('at')
        .orderBy('id')
        .execute()
    ).map(({ action, resource_type: type }) => `${action} ${type}`)

  test('an authenticator app is set up with a code, brings ten recovery codes, and is asked for from then on', async () => {
    const person = await Factored.join(service, 'first@x')
    assert.deepEqual(await person.factors(), {
      totp: null,
      passkeys: [],
      recovery_codes_left: 0,
      has_password: true,
      required: false,
    })
    const before = person.elsewhere()
    await before.signIn(person.email, PASSWORD)
    const { body: begun } = await person.browser.call('POST', `${FACTORS}/totp`, { password: PASSWORD })
    const uri = new URL(begun.uri)
    assert.deepEqual([uri.protocol, uri.searchParams.get('secret')], ['otpauth:', begun.secret])
    assert.equal(decodeURIComponent(uri.pathname).endsWith(':first@x'), true)
    const wrong = await person.browser.call('POST', `${FACTORS}/totp/confirm`, { code: '000000' })
    assert.equal(said(wrong), '422 body.code code_wrong')
    assert.equal((await person.factors()).totp, null)
    const code = await codeBefore(begun.secret)
    const confirmed = await person.browser.call('POST', `${FACTORS}/totp/confirm`, {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    assert.equal(new Set(confirmed.body.recovery_codes).size, 10)
    assert.equal((await person.factors()).recovery_codes_left, 10)
    // A session that began without the factor has ended; the one that proved it goes on.
    assert.equal((await before.call('GET', '/api/session')).status, 401)

    const browser = person.elsewhere()
    const answer = await browser.signIn(person.email, PASSWORD)
    assert.equal(answer.status, 202)
    assert.deepEqual(answer.body.methods, ['code', 'recovery_code'])
    assert.match(
      answer.headers.getSetCookie()[0],
      /^ks_second_step=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    assert.deepEqual((await browser.call('GET', '/api/session/second-factor')).body, answer.body)
    const signedIn = await finish(browser, { code: codeOf(begun.secret) })
    assert.equal(signedIn.status, 200)
    assert.equal(signedIn.body.user.email, 'first@x')
    assert.deepEqual([...browser.cookies.keys()], ['ks_session', 'ks_device'])
    // The session has another secret than the cookie of the waiting sign-in.
    assert.ok(!answer.headers.getSetCookie()[0].includes(browser.cookies.get('ks_session')!))
    assert.equal((await browser.call('POST', CATEGORIES, { name: 'With a factor' })).status, 201)
    assert.deepEqual(await audited(person.userId), [
      'create user',
      'update user_password',
      'sign_in session',
      'sign_in session',
      'create authenticator_app',
      'sign_in session',
      'create category',
    ])
  })

  test('neither the secret nor a recovery code is stored in the open', async () => {
    const person = await Factored.withApp(service, 'stored@x')
    const { queries } = service.database
    const rows = [
      await queries.selectFrom('user_totp').selectAll().where('user_id', '=', person.userId).execute(),
      await queries.selectFrom('recovery_codes').selectAll().where('user_id', '=', person.userId).execute(),
      await queries.selectFrom('audit_log').selectAll().where('user_id', '=', person.userId).execute(),
    ]
    const text = JSON.stringify(rows)
    assert.equal(rows[1].length, 10)
    for (const secret of [
      person.secret,
      ...person.recoveryCodes,
      ...person.recoveryCodes.map((each) => each.replaceAll('-', '')),
    ])
      assert.ok(!text.includes(secret))
  })

  test('before the second step the cookie opens nothing, and neither does its value as another credential', async () => {
    const person = await Factored.withApp(service, 'half@x')
    const browser = await person.begin()
    for (const path of ['/api/session', CATEGORIES]) assert.equal((await browser.call('GET', path)).status, 401)
    assert.equal((await browser.call('GET', FACTORS)).status, 401)
    assert.equal((await browser.call('POST', `${FACTORS}/totp/remove`, { password: PASSWORD })).status, 401)
    const [secret] = browser.cookies.values()
    const posing: Record<string, string>[] = [{ cookie: `ks_session=${secret}` }, { authorization: `Bearer ${secret}` }]
    for (const headers of posing) {
      assert.equal((await service.call('GET', CATEGORIES, { key: null, headers })).status, 401)
    }
    // The session's secret is no second step.
    const [session] = person.browser.cookies.values()
    browser.cookies.set('ks_second_step', session)
    assert.equal(said(await finish(browser, { code: codeOf(person.secret) })), '401 header.cookie sign_in_again')
  })

  test('a code counts once, also for two sign-ins at the same moment, and one step of the clock is forgiven', async () => {
    const person = await Factored.withApp(service, 'once@x')
    const browsers = [await person.begin(), await person.begin(), await person.begin()]
    const code = codeOf(person.secret)
    const answers = await Promise.all(browsers.map((browser) => finish(browser, { code })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
    const late = await person.begin()
    assert.equal(said(await finish(late, { code })), '401 body.code unauthorized')
    // The step before is used up with a later one; two steps ahead is too far.
    assert.equal((await finish(late, { code: codeOf(person.secret, -1) })).status, 401)
    assert.equal((await finish(late, { code: codeOf(person.secret, 3) })).status, 401)
    assert.equal((await finish(late, { code: codeOf(person.secret, 1) })).status, 200)
  })

  test('one cookie opens one session, however often its second step is proved at once', async () => {
    const person = await Factored.withApp(service, 'twice@x')
    const browser = await person.begin()
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answers = await Promise.all(
      person.recoveryCodes.slice(0, 4).map((code) => {
        const headers = { origin: service.service.publicUrl, cookie }
        const body = { recovery_code: code }
        return service.call(
          'POST',
          '/api/session/second-factor',
          { key: null, body, headers },
          service.service.publicUrl,
        )
      }),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    // The codes that the losing requests sent were not used up.
    assert.equal((await person.factors()).recovery_codes_left, 9)
  })

  test('each recovery code counts once, as people type it, and new ones end the old ones', async () => {
    const person = await Factored.withApp(service, 'paper@x')
    const [one, other] = person.recoveryCodes
    const typed = ` ${one.toUpperCase().replaceAll('-', ' ')}`
    assert.equal((await finish(await person.begin(), { recovery_code: typed })).status, 200)
    assert.equal(
      said(await finish(await person.begin(), { recovery_code: one })),
      '401 body.recovery_code unauthorized',
    )
    assert.equal((await person.factors()).recovery_codes_left, 9)
    const unproved = await person.browser.call('POST', `${FACTORS}/recovery-codes`, {})
    assert.equal(said(unproved), '403 body proof_needed')
    const renewed = await person.browser.call('POST', `${FACTORS}/recovery-codes`, { password: PASSWORD })
    assert.equal(renewed.body.recovery_codes.length, 10)
    assert.equal((await finish(await person.begin(), { recovery_code: other })).status, 401)
    const [fresh] = renewed.body.recovery_codes
    assert.equal((await finish(await person.begin(), { recovery_code: fresh })).status, 200)
    const events = await audited(person.userId)
    assert.equal(events.filter((event) => event === 'delete recovery_code').length, 2)
    assert.equal(events.filter((event) => event === 'update recovery_codes').length, 1)
  })

  test('the second step takes exactly one proof, from pages of the service alone', async () => {
    const person = await Factored.withApp(service, 'shape@x')
    const browser = await person.begin()
    for (const proof of [{}, { code: '123456', recovery_code: 'x' }]) {
      assert.equal(said(await finish(browser, proof)), '422 body value_error')
    }
    const foreign = { origin: 'https://evil.example' }
    const body = { code: codeOf(person.secret) }
    assert.equal((await browser.call('POST', '/api/session/second-factor', body, foreign)).status, 403)
    assert.equal(
      (await browser.call('POST', '/api/session/second-factor/passkey-options', undefined, foreign)).status,
      403,
    )
    assert.equal((await finish(browser, body)).status, 200)
  })

  test('five wrong codes end the waiting sign-in, and ten from one address are too many', async () => {
    const person = await Factored.withApp(service, 'guessed@x')
    let browser = await person.begin()
    for (let i = 0; i < 5; i++)
      assert.equal(said(await finish(browser, { code: '000000' })), '401 body.code unauthorized')
    assert.equal(said(await finish(browser, { code: codeOf(person.secret) })), '401 header.cookie sign_in_again')
    browser = await person.begin()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      if (i === 4) browser = await person.begin()
      statuses.push((await finish(browser, { code: '000000' })).status)
    }
    // Ten from one address, like passwords.
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
    const limited = await finish(browser, { code: codeOf(person.secret) })
    assert.equal(limited.status, 429)
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
    await until(
      async () => (await audited(person.userId)).includes('sign_in_refused user'),
      'the refusal is in the audit log',
    )
  })

  test('a sign-in that waits ends with the password, the user’s access and its time', async () => {
    const person = await Factored.withApp(service, 'ending@x')
    const browsers = [await person.begin(), await person.begin(), await person.begin()]
    await givePassword(service.database, 'default', person.userId, 'another horse battery')
    assert.equal((await finish(browsers[0], { code: codeOf(person.secret) })).status, 401)
    await givePassword(service.database, 'default', person.userId, PASSWORD)
    const disabled = await person.begin()
    await changeUser(service.database, 'default', person.userId, { disabled: true })
    await changeUser(service.database, 'default', person.userId, { disabled: false })
    assert.equal(said(await finish(disabled, { code: codeOf(person.secret) })), '401 header.cookie sign_in_again')
    const late = await person.begin()
    const { queries } = service.database
    await queries
      .updateTable('sign_in_steps')
      .set({ expires_at: Date.now() - 1 })
      .where('user_id', '=', person.userId)
      .execute()
    assert.equal(said(await finish(late, { code: codeOf(person.secret) })), '401 header.cookie sign_in_again')
    const sweeper = startSweeper(service.database, assert.ifError)
    await sweeper.sweep()
    await sweeper.close()
    assert.deepEqual(
      await queries.selectFrom('sign_in_steps').select('hash').where('user_id', '=', person.userId).execute(),
      [],
    )
  })

  test('a factor of another person opens nothing', async () => {
    const [ann, bob] = [await Factored.withApp(service, 'ann@x'), await Factored.withApp(service, 'bob@x')]
    await bob.addPasskey()
    const browser = await ann.begin()
    assert.equal((await finish(browser, { code: codeOf(bob.secret) })).status, 401)
    assert.equal((await finish(browser, { recovery_code: bob.recoveryCodes[0] })).status, 401)
    const { body } = await browser.call('POST', '/api/session/second-factor/passkey-options')
    assert.deepEqual(body.options.allowCredentials, [])
    assert.equal((await finish(browser, { passkey: bob.device.get(body.options) })).status, 401)
    // A sealed secret in another person's row is worth nothing.
    const { queries } = service.database
    const { sealed } = await queries
      .selectFrom('user_totp')
      .select('sealed')
      .where('user_id', '=', bob.userId)
      .executeTakeFirstOrThrow()
    await queries.updateTable('user_totp').set({ sealed }).where('user_id', '=', ann.userId).execute()
    assert.equal((await finish(browser, { code: codeOf(bob.secret) })).status, 401)
  })

  test('a stolen session that has just begun adds no factor, so it makes no proof of its own', async () => {
    const person = await Factored.join(service, 'fresh@x', { role: 'admin' })
    for (const path of ['totp', 'passkey-options']) {
      const refused = await person.browser.call('POST', `${FACTORS}/${path}`, {})
      assert.equal(said(refused), '403 body proof_needed')
    }
    assert.equal((await person.factors()).totp, null)
    await person.addApp()
    // Nor does a session that has proved a factor add another one without a proof.
    const another = await person.browser.call('POST', `${FACTORS}/passkey-options`, {})
    assert.equal(said(another), '403 body proof_needed')
  })

  test('two confirmations at once set up one app, with one set of recovery codes', async () => {
    const person = await Factored.join(service, 'race@x')
    const { body } = await person.browser.call('POST', `${FACTORS}/totp`, { password: PASSWORD })
    const codes = [codeOf(body.secret), codeOf(body.secret, -1), codeOf(body.secret, 1)]
    const answers = await Promise.all(
      codes.map((code) => person.browser.call('POST', `${FACTORS}/totp/confirm`, { code })),
    )
    // The others found the app confirmed, before or within their own transaction.
    assert.ok(answers.every(({ status }) => [200, 409, 422].includes(status)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const won = answers.find(({ status }) => status === 200)!
    assert.equal((await person.factors()).recovery_codes_left, 10)
    assert.equal((await finish(await person.begin(), { recovery_code: won.body.recovery_codes[9] })).status, 200)
  })

  test('confirming while nothing waits for a code uses up none of the tries at sign-in', async () => {
    const person = await Factored.withApp(service, 'early@x')
    for (let i = 0; i < 25; i++) {
      const answer = await person.browser.call('POST', `${FACTORS}/totp/confirm`, { code: '123456' })
      assert.equal(said(answer), '422 body.code not_begun')
    }
    assert.equal((await finish(await person.begin(), { code: codeOf(person.secret) })).status, 200)
  })

  test('an app is replaced only once the new one has shown a code', async () => {
    const person = await Factored.withApp(service, 'newphone@x')
    const old = person.secret
    await person.browser.call('POST', `${FACTORS}/totp`, { password: PASSWORD })
    assert.equal((await finish(await person.begin(), { code: codeOf(old) })).status, 200)
    await person.addApp()
    assert.notEqual(person.secret, old)
    assert.equal((await finish(await person.begin(), { code: codeOf(old, 1) })).status, 401)
    assert.equal((await finish(await person.begin(), { code: codeOf(person.secret) })).status, 200)
  })

  test('removing asks for the password or a factor, and with the last factor everything of it goes', async () => {
    const person = await Factored.withApp(service, 'leaving@x')
    const remove = (proof: object) => person.browser.call('POST', `${FACTORS}/totp/remove`, proof)
    assert.equal(said(await remove({})), '403 body proof_needed')
    assert.equal(said(await remove({ password: 'not the password' })), '422 body.password proof_wrong')
    assert.equal(said(await remove({ code: '000000' })), '422 body.code proof_wrong')
    assert.equal(said(await remove({ code: '000000', password: PASSWORD })), '422 body value_error')
    assert.equal((await remove({ code: codeOf(person.secret) })).status, 204)
    assert.deepEqual(
      { ...(await person.factors()) },
      { totp: null, passkeys: [], recovery_codes_left: 0, has_password: true, required: false },
    )
    assert.equal((await person.elsewhere().signIn(person.email, PASSWORD)).status, 200)
    assert.equal(said(await remove({ password: PASSWORD })), '404 path not_found')
  })

  test('a recovery code proves who adds a factor, and counts once', async () => {
    const person = await Factored.withApp(service, 'later@x')
    await person.addPasskey('Key', { recovery_code: person.recoveryCodes[0] })
    assert.equal((await person.factors()).recovery_codes_left, 9)
    assert.equal((await audited(person.userId)).filter((event) => event === 'delete recovery_code').length, 1)
  })

  test('guessing the password in a session that was left open is slowed down', async () => {
    const person = await Factored.withApp(service, 'open@x')
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) {
      const proof = { password: 'not the password' }
      statuses.push((await person.browser.call('POST', `${FACTORS}/totp/remove`, proof)).status)
    }
    assert.deepEqual([statuses[0], statuses[9], statuses[10]], [422, 422, 429])
    await until(
      async () => (await audited(person.userId)).includes('sign_in_refused user'),
      'the refusal is in the audit log',
    )
  })

  test('an API key or access token of the person has no say in the person’s factors', async () => {
    const { key } = await service.user({ email: 'keyed@x', role: 'admin' })
    const routes = [
      ['GET', FACTORS],
      ['POST', `${FACTORS}/totp`],
      ['POST', `${FACTORS}/recovery-codes`],
      ['POST', `${FACTORS}/passkey-options`],
    ]
    for (const [method, path] of routes) {
      const body = method === 'GET' ? undefined : {}
      const headers = { origin: service.service.url }
      assert.equal((await service.call(method, path, { key, body, headers })).status, 401, path)
    }
  })

  test('an unfinished sign-in does not tell whether a user exists', async () => {
    const person = await Factored.withApp(service, 'known@x')
    const refusals = [
      await person.elsewhere().signIn(person.email, 'not the password'),
      await person.elsewhere().signIn('unknown@x', 'not the password'),
    ]
    assert.deepEqual(refusals[0].body, refusals[1].body)
    for (const { status, headers } of refusals) assert.deepEqual([status, headers.getSetCookie()], [401, []])
    const stranger = person.elsewhere()
    for (const value of ['', 'x', 'A'.repeat(43)]) {
      stranger.cookies.set('ks_second_step', value)
      assert.equal(said(await stranger.call('GET', '/api/session/second-factor')), '401 header.cookie sign_in_again')
    }
  })

  test('a person keeps at most ten unfinished sign-ins', async () => {
    const person = await Factored.withApp(service, 'many@x')
    for (let i = 0; i < 12; i++) await person.begin()
    const rows = await service.database.queries
      .selectFrom('sign_in_steps')
      .select('hash')
      .where('user_id', '=', person.userId)
      .execute()
    assert.equal(rows.length, 10)
  })
})
