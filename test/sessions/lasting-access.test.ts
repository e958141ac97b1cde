import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lockTenant } from '../../src/identity/tenants/lock-rules.ts'
import { lockUser } from '../../src/identity/sessions/store.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { newId } from '../../src/platform/ids.ts'
import type { Tx } from '../../src/platform/database/database.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { type Answer, TestService } from '../support/service.ts'
import { serviceWaits } from '../support/waiting-writes.ts'
import { Factored, FACTORS, PASSWORD, said } from './factored.ts'

const USERS = '/api/knowledge/users'
const INVITATIONS = '/api/knowledge/invitations'
const RULES = '/api/knowledge/sign-in-rules'
const SETTINGS = '/api/knowledge/tenant-settings'
const NEEDED = '403 body.confirmation proof_needed'

onAnyDatabase('access that outlasts a session', (kind) => {
  let service: TestService
  let admin: Factored
  before(async () => {
    service = await TestService.start(kind)
    admin = await Factored.join(service, 'boss@x', { role: 'admin' })
    await admin.addPasskey()
  })
  after(() => service.stop())

  const act = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
    admin.browser.call(method, path, body, headers)
  /** Signs a challenge, which takes one answer. */
  const signed = async () => {
    const { body } = await admin.browser.call('POST', `${FACTORS}/confirm-options`)
    return { passkey: admin.device.get(body.options) }
  }
  const newUser = async (email: string) => (await service.user({ email, role: 'editor' })).userId
  const rules = async () => (await service.call('GET', RULES)).body

  test('a refusal of whom or what it names leaves the proof for the right one', async () => {
    const [locked, resettable] = [await newUser('locked@x'), await newUser('resettable@x')]
    await service.call('PATCH', `${USERS}/${locked}`, { body: { disabled: true } })
    const other = { 'if-match': '"another"' }
    const wish = { ...(await rules()), session_hours: 3 }
    await changeTenant(service.database, 'default', { settings: { requireSecondFactor: 'all' } })
    const invitation = await service.call('POST', INVITATIONS, { body: { email: 'asked@x', role: 'admin' } })
    const rows: [
      wrong: [expected: string, method: string, path: string, body?: object, headers?: Record<string, string>][],
      right: [method: string, path: string, body?: object],
    ][] = [
      [
        [
          ['404 path.user_id not_found', 'DELETE', `${USERS}/${newId()}/factors`],
          ['403 path.user_id forbidden', 'DELETE', `${USERS}/${admin.userId}/factors`],
        ],
        ['DELETE', `${USERS}/${resettable}/factors`],
      ],
      [
        [
          ['404 path.user_id not_found', 'POST', `${USERS}/${newId()}/password-reset`],
          ['403 path.user_id forbidden', 'POST', `${USERS}/${admin.userId}/password-reset`],
          ['409 path.user_id conflict', 'POST', `${USERS}/${locked}/password-reset`],
        ],
        ['POST', `${USERS}/${resettable}/password-reset`],
      ],
      [
        [
          ['409 body.email conflict', 'POST', INVITATIONS, { email: 'locked@x', role: 'admin' }],
          ['409 body.email conflict', 'POST', INVITATIONS, { email: 'asked@x', role: 'admin' }],
        ],
        ['POST', INVITATIONS, { email: 'right@x', role: 'admin' }],
      ],
      [
        [['404 path.invitation_id not_found', 'POST', `${INVITATIONS}/${newId()}/send`]],
        ['POST', `${INVITATIONS}/${invitation.body.id}/send`],
      ],
      [
        [
          ['404 path.user_id not_found', 'PATCH', `${USERS}/${newId()}`, { role: 'admin' }],
          ['412 header.if-match precondition_failed', 'PATCH', `${USERS}/${resettable}`, { role: 'admin' }, other],
        ],
        ['PATCH', `${USERS}/${resettable}`, { role: 'admin' }],
      ],
      [[['412 header.if-match precondition_failed', 'PUT', RULES, wish, other]], ['PUT', RULES, wish]],
      [
        [['412 header.if-match precondition_failed', 'PATCH', SETTINGS, { require_second_factor: 'off' }, other]],
        ['PATCH', SETTINGS, { require_second_factor: 'off' }],
      ],
    ]
    for (const [wrong, [method, path, body]] of rows) {
      const confirmation = await signed()
      for (const [expected, by, at, sent, headers] of wrong)
        assert.equal(said(await act(by, at, { ...sent, confirmation }, headers)), expected, `${by} ${at}`)
      const done = await act(method, path, { ...body, confirmation })
      assert.ok(done.status < 300, `${method} ${path}: ${done.status} ${JSON.stringify(done.body)}`)
      // Only the act that succeeded used it up.
      const again = await act('DELETE', `${USERS}/${locked}/factors`, { confirmation })
      assert.equal(said(again), '422 body.confirmation.passkey proof_wrong')
    }
  })

  /** Sends a request, and makes a change after the request has read what is there and before it writes. */
  const overtaken = async (change: (tx: Tx) => Promise<unknown>, send: () => Promise<Answer>): Promise<Answer> => {
    let answer!: Promise<Answer>
    await service.database.write(async (tx) => {
      await lockTenant(tx, 'default')
      await lockUser(tx, 'default', admin.userId)
      answer = send()
      await serviceWaits(service.database, service.service.url)
      await change(tx)
    }, 'default')
    return answer
  }

  test('is refused without a proof when another change came first and made it so', async () => {
    const dormant = await newUser('dormant@x')
    await service.call('PATCH', `${USERS}/${dormant}`, { body: { disabled: true } })
    const promote = (tx: Tx) => tx.updateTable('users').set({ role: 'admin' }).where('id', '=', dormant).execute()
    const enabled = await overtaken(promote, () => act('PATCH', `${USERS}/${dormant}`, { disabled: false }))
    assert.equal(said(enabled), NEEDED)
    assert.equal((await service.call('GET', `${USERS}/${dormant}`)).body.disabled, true)

    const present = await rules()
    const another = JSON.stringify({ ...present, session_hours: 1 })
    const replaceRules = (tx: Tx) =>
      tx
        .insertInto('sign_in_rules')
        .values({ tenant_id: 'default', rules: another, version: 9 })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ rules: another, version: 9 }))
        .execute()
    assert.equal(said(await overtaken(replaceRules, () => act('PUT', RULES, present))), NEEDED)
    assert.equal((await rules()).session_hours, 1)

    const demand = (tx: Tx) =>
      tx
        .updateTable('tenants')
        .set({ settings: JSON.stringify({ requireSecondFactor: 'all' }) })
        .where('tenant_id', '=', 'default')
        .execute()
    const lowered = await overtaken(demand, () => act('PATCH', SETTINGS, { require_second_factor: 'on' }))
    assert.equal(said(lowered), NEEDED)
    assert.equal((await service.call('GET', SETTINGS)).body.require_second_factor, 'all')
  })

  test('is not given by a session that ended or became weaker after its proof was demanded', async () => {
    const target = await newUser('spared@x')
    const ways: [expected: string, change: (tx: Tx) => Promise<unknown>][] = [
      [
        '409 header.cookie conflict',
        (tx) => tx.updateTable('sessions').set({ strength: 'password' }).where('user_id', '=', admin.userId).execute(),
      ],
      [
        '401 header.cookie unauthorized',
        (tx) => tx.deleteFrom('sessions').where('user_id', '=', admin.userId).execute(),
      ],
    ]
    for (const [expected, change] of ways) {
      const { queries } = service.database
      await queries.updateTable('sessions').set({ strength: 'second' }).where('user_id', '=', admin.userId).execute()
      const confirmation = await signed()
      const promote = () => act('PATCH', `${USERS}/${target}`, { role: 'admin', confirmation })
      assert.equal(said(await overtaken(change, promote)), expected)
    }
    assert.equal((await service.call('GET', `${USERS}/${target}`)).body.role, 'editor')
  })

  test('has no one-time proof twice, and fewer second factors need one only when they are fewer', async () => {
    const person = await Factored.join(service, 'settings@x', { role: 'admin' })
    const set = (value: string, confirmation?: object) =>
      person.browser.call('PATCH', SETTINGS, { require_second_factor: value, confirmation })
    await changeTenant(service.database, 'default', { settings: { requireSecondFactor: 'off' } })
    await person.addApp()
    assert.equal((await set('all')).status, 200)
    assert.equal((await set('all')).status, 200)
    for (const less of ['on', 'off']) assert.equal(said(await set(less)), NEEDED)
    assert.equal(said(await set('off', { password: 'not that one' })), '422 body.confirmation.password proof_wrong')
    const [recovery_code] = person.recoveryCodes
    assert.equal((await set('on', { recovery_code })).status, 200)
    const used = '422 body.confirmation.recovery_code proof_wrong'
    assert.equal(said(await set('off', { recovery_code })), used)
    const promote = { role: 'admin', confirmation: { recovery_code } }
    assert.equal(said(await person.browser.call('PATCH', `${USERS}/${await newUser('same@x')}`, promote)), used)
    assert.equal((await set('off', { password: PASSWORD })).status, 200)
    assert.equal('confirmation' in (await service.call('GET', SETTINGS)).body, false)
    // Other settings, and keys, which were issued with a proof, are not asked.
    assert.equal((await person.browser.call('PATCH', SETTINGS, { bin_days: 20 })).status, 200)
    await set('on')
    const byKey = await service.call('PATCH', SETTINGS, { body: { require_second_factor: 'off' } })
    assert.equal(byKey.status, 200)
  })
})
