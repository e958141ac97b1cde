import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { codeOf } from '../support/authenticator-app.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { Browser } from './browser.ts'
import { Factored, FACTORS, finish, PASSWORD, said } from './factored.ts'

const CATEGORIES = '/api/knowledge/categories'

onAnyDatabase('a tenant that requires a second factor', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
    await service.tenant('strict')
  })
  after(() => service.stop())

  const demand = (requireSecondFactor: string) =>
    changeTenant(service.database, 'strict', { settings: { requireSecondFactor } })
  const join = (email: string) => Factored.join(service, email, { tenant: 'strict' })

  test('lets a person without one do nothing else before they set one up, also in an older session', async () => {
    await demand('off')
    const person = await join('old@strict')
    const { body: before } = await person.browser.call('GET', '/api/session')
    assert.ok(!('second_factor' in before))
    await demand('on')
    const { body } = await person.browser.call('GET', '/api/session')
    assert.equal(body.second_factor, 'set_up')
    assert.equal(said(await person.browser.call('GET', CATEGORIES)), '403 header.cookie second_factor_needed')
    assert.equal(
      said(await person.browser.call('POST', CATEGORIES, { name: 'A' })),
      '403 header.cookie second_factor_needed',
    )
    const fresh = person.elsewhere()
    const signedIn = await fresh.signIn(person.email, PASSWORD)
    assert.deepEqual([signedIn.status, signedIn.body.second_factor], [200, 'set_up'])
    assert.equal((await fresh.call('GET', CATEGORIES)).status, 403)
    assert.equal((await person.factors()).required, true)
    await person.addApp()
    const { body: whole } = await person.browser.call('GET', '/api/session')
    assert.ok(!('second_factor' in whole))
    assert.equal((await person.browser.call('GET', CATEGORIES)).status, 200)
    assert.equal((await fresh.call('GET', '/api/session')).status, 401)
  })

  test('keeps the last factor from being removed, but not from being replaced', async () => {
    await demand('on')
    const person = await join('last@strict')
    await person.addApp()
    const remove = () => person.browser.call('POST', `${FACTORS}/totp/remove`, { password: PASSWORD })
    assert.equal(said(await remove()), '409 path conflict')
    assert.notEqual((await person.factors()).totp, null)
    await person.addPasskey()
    assert.equal((await remove()).status, 204)
  })

  test('keeps one factor also when the last two are removed at the same moment', async () => {
    await demand('on')
    const person = await join('both@strict')
    await person.addApp()
    const id = await person.addPasskey()
    const removals = [`${FACTORS}/totp/remove`, `${FACTORS}/passkeys/${id}/remove`]
    const answers = await Promise.all(removals.map((path) => person.browser.call('POST', path, { password: PASSWORD })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409])
    const { totp, passkeys } = await person.factors()
    assert.equal((totp === null ? 0 : 1) + passkeys.length, 1)
  })

  test('asks for a new one in a session whose factor was removed', async () => {
    await demand('off')
    const person = await join('gone@strict')
    await person.addApp()
    await person.browser.call('POST', `${FACTORS}/totp/remove`, { password: PASSWORD })
    await demand('on')
    assert.equal((await person.browser.call('GET', '/api/session')).body.second_factor, 'set_up')
  })

  test('asks a person who has one to sign in again with it, and lets them add no other one before', async () => {
    await demand('off')
    const person = await join('around@strict')
    await person.addApp()
    const { queries } = service.database
    await queries.updateTable('sessions').set({ strength: 'provider' }).where('user_id', '=', person.userId).execute()
    await demand('all')
    assert.equal((await person.browser.call('GET', '/api/session')).body.second_factor, 'sign_in_again')
    for (const path of ['totp', 'passkey-options', 'recovery-codes', 'totp/remove']) {
      for (const proof of [{}, { password: PASSWORD }]) {
        assert.equal(
          said(await person.browser.call('POST', `${FACTORS}/${path}`, proof)),
          '403 body proof_needed',
          path,
        )
      }
    }
    assert.equal((await finish(await person.begin(), { code: codeOf(person.secret) })).status, 200)
  })

  test('does not apply to sign-ins at the outside provider unless the setting is “all”', async () => {
    await demand('off')
    const person = await join('outside@strict')
    const { queries } = service.database
    await queries.updateTable('sessions').set({ strength: 'provider' }).where('user_id', '=', person.userId).execute()
    await demand('on')
    assert.equal((await person.browser.call('GET', CATEGORIES)).status, 200)
    await demand('all')
    assert.equal((await person.browser.call('GET', CATEGORIES)).status, 403)
    assert.equal((await person.browser.call('GET', '/api/session')).body.second_factor, 'set_up')
  })

  test('does not apply to programs, which have keys', async () => {
    await demand('all')
    const { key } = await service.user({ tenant: 'strict', email: 'program@strict' })
    assert.equal((await service.call('GET', CATEGORIES, { key })).status, 200)
  })

  test('takes no other words as its setting', async () => {
    await assert.rejects(demand('yes'), /requireSecondFactor must be off, on or all/)
  })
})

onAnyDatabase('an administrator who resets second factors', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const reset = (key: string, userId: string) =>
    service.call('DELETE', `/api/knowledge/users/${userId}/factors`, { key })

  test('ends them with the sessions, and the person is told at the next sign-in', async () => {
    const person = await Factored.withApp(service, 'lost@x')
    await person.addPasskey()
    const waiting = await person.begin()
    assert.equal((await reset(service.adminKey, person.userId)).status, 204)
    assert.equal((await person.browser.call('GET', '/api/session')).status, 401)
    assert.equal((await finish(waiting, { recovery_code: person.recoveryCodes[0] })).status, 401)
    const browser = person.elsewhere()
    const { status, body } = await browser.signIn(person.email, PASSWORD)
    assert.equal(status, 200)
    assert.ok(Date.now() - Date.parse(body.factors_reset_at) < 60_000)
    assert.equal((await browser.call('GET', '/api/session')).body.factors_reset_at, body.factors_reset_at)
    const later = await person.elsewhere().signIn(person.email, PASSWORD)
    assert.ok(!('factors_reset_at' in later.body))
    const { queries } = service.database
    const [event] = await queries
      .selectFrom('audit_log')
      .selectAll()
      .where('resource_type', '=', 'second_factors')
      .where('resource_id', '=', person.userId)
      .execute()
    assert.equal(event.action, 'delete')
    assert.notEqual(event.credential_id, null)
  })

  test('has nothing to tell a person who had none', async () => {
    const person = await Factored.join(service, 'none@x')
    assert.equal((await reset(service.adminKey, person.userId)).status, 204)
    assert.equal((await person.browser.call('GET', '/api/session')).status, 200)
  })

  test('resets neither their own factors, nor those of a person with more rights or of another tenant', async () => {
    const boss = await Factored.withApp(service, 'boss@x', { role: 'admin' })
    const own = await boss.browser.call('DELETE', `/api/knowledge/users/${boss.userId}/factors`)
    assert.equal(said(own), '403 path.user_id forbidden')
    const lesser = await service.user({ email: 'lesser@x', scopes: ['tenant:admin', 'knowledge:read'] })
    assert.equal(said(await reset(lesser.key, boss.userId)), '403 path.user_id forbidden')
    await service.tenant('next')
    const { key } = await service.user({ tenant: 'next', email: 'admin@next' })
    assert.equal(said(await reset(key, boss.userId)), '404 path.user_id not_found')
    const editor = await service.user({ email: 'editor@x', role: 'editor' })
    assert.equal((await reset(editor.key, boss.userId)).status, 403)
    assert.notEqual((await boss.factors()).totp, null)
    assert.equal((await reset(service.adminKey, boss.userId)).status, 204)
  })

  test('loses neither factors nor password to a stolen session, not even by keys that the session issues', async () => {
    const boss = await Factored.withApp(service, 'stolen@x', { role: 'admin' })
    const [factors, link] = ['factors', 'password-reset'].map((each) => `/api/knowledge/users/${boss.userId}/${each}`)
    assert.equal(said(await boss.browser.call('POST', link)), '403 path.user_id forbidden')
    const issue = { name: 'nobody’s', scopes: ROLE_SCOPES.admin }
    const keys = '/api/knowledge/api-keys'
    assert.equal(said(await boss.browser.call('POST', keys, issue)), '403 body.confirmation proof_needed')
    // Whoever watched the person use a recovery code has one, and no more.
    const confirmation = { recovery_code: boss.recoveryCodes[0] }
    const { key: first } = (await boss.browser.call('POST', keys, { ...issue, confirmation })).body
    const { key: second } = (await service.call('POST', '/api/knowledge/api-keys', { key: first, body: issue })).body
    for (const key of [first, second]) {
      assert.equal(said(await service.call('POST', link, { key })), '403 path.user_id forbidden')
      assert.equal(said(await service.call('DELETE', factors, { key })), '403 path.user_id forbidden')
    }
    assert.notEqual((await boss.factors()).totp, null)
    const ending = { ...issue, expires_at: '2100-01-01T00:00:00Z' }
    const { key } = (await service.call('POST', '/api/knowledge/api-keys', { body: ending })).body
    assert.equal(said(await reset(key, boss.userId)), '403 header.authorization forbidden')
    assert.equal((await service.call('POST', link)).status, 200)
    assert.equal((await reset(service.adminKey, boss.userId)).status, 204)
  })

  test('resets nothing in a session that may only set up a factor', async () => {
    const boss = await Factored.join(service, 'half-boss@x', { role: 'admin' })
    const other = await Factored.withApp(service, 'victim@x')
    await changeTenant(service.database, 'default', { settings: { requireSecondFactor: 'on' } })
    const answer = await boss.browser.call('DELETE', `/api/knowledge/users/${other.userId}/factors`)
    assert.equal(said(answer), '403 header.cookie second_factor_needed')
    await changeTenant(service.database, 'default', { settings: { requireSecondFactor: 'off' } })
    const browser = new Browser(service, service.service.publicUrl)
    await browser.signIn(other.email, PASSWORD)
    assert.equal((await finish(browser, { code: codeOf(other.secret) })).status, 200)
  })
})
