import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { codeOf } from '../support/authenticator-app.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { type Answer, TestService } from '../support/service.ts'
import type { Authenticator } from './authenticator.ts'
import { Browser } from './browser.ts'
import { Factored, FACTORS, finish, PASSWORD, said } from './factored.ts'

const SIGN_IN = '/api/session/passkey'

onAnyDatabase('a passkey', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const signIn = async (browser: Browser, device: Authenticator, nth = -1): Promise<Answer> => {
    const { body } = await browser.call('POST', `${SIGN_IN}-options`)
    return browser.call('POST', SIGN_IN, { passkey: device.get(body.options, nth) })
  }
  const step = async (browser: Browser, device: Authenticator): Promise<Answer> => {
    const { body } = await browser.call('POST', '/api/session/second-factor/passkey-options')
    return finish(browser, { passkey: device.get(body.options) })
  }

  test('is registered with a name, brings recovery codes, and is renamed and removed', async () => {
    const person = await Factored.join(service, 'phone@x')
    const id = await person.addPasskey('Phone')
    assert.equal(person.recoveryCodes.length, 10)
    const second = await person.addPasskey('Key')
    const { passkeys } = await person.factors()
    assert.deepEqual(
      passkeys.map(({ name }: { name: string }) => name),
      ['Phone', 'Key'],
    )
    const renamed = await person.browser.call('PATCH', `${FACTORS}/passkeys/${id}`, { name: 'Old phone' })
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Old phone'])
    const remove = (which: string, proof: object) =>
      person.browser.call('POST', `${FACTORS}/passkeys/${which}/remove`, proof)
    assert.equal(said(await remove(id, {})), '403 body proof_needed')
    const { body } = await person.browser.call('POST', `${FACTORS}/confirm-options`)
    const passkey = person.device.get(body.options)
    assert.equal((await remove(id, { passkey })).status, 204)
    assert.equal(said(await remove(second, { passkey })), '422 body.passkey proof_wrong')
    assert.equal(said(await remove(id, { password: PASSWORD })), '404 path.passkey_id not_found')
    assert.equal((await remove(second, { password: PASSWORD })).status, 204)
    assert.equal((await person.factors()).recovery_codes_left, 0)
    assert.equal((await person.elsewhere().signIn(person.email, PASSWORD)).status, 200)
  })

  test('of another person is neither renamed nor removed', async () => {
    const [ann, bob] = [await Factored.join(service, 'ann@x'), await Factored.join(service, 'bob@x')]
    const id = await ann.addPasskey()
    const path = `${FACTORS}/passkeys/${id}`
    assert.equal(said(await bob.browser.call('PATCH', path, { name: 'Mine' })), '404 path.passkey_id not_found')
    const removed = await bob.browser.call('POST', `${path}/remove`, { password: PASSWORD })
    assert.equal(said(removed), '404 path.passkey_id not_found')
    assert.equal((await ann.factors()).passkeys[0].name, 'Phone')
  })

  test('is a second factor after the password, even from a device that does not verify its owner', async () => {
    const person = await Factored.join(service, 'second@x')
    await person.addPasskey()
    person.device.isVerifying = false
    const browser = person.elsewhere()
    assert.deepEqual((await browser.signIn(person.email, PASSWORD)).body.methods, ['passkey', 'recovery_code'])
    const answer = await step(browser, person.device)
    assert.deepEqual([answer.status, answer.body.user.email], [200, 'second@x'])
    assert.equal((await browser.call('GET', '/api/session')).status, 200)
    assert.notEqual((await person.factors()).passkeys[0].last_used_at, null)
  })

  test('that verifies its owner signs in alone, without a name and without another factor', async () => {
    const person = await Factored.withApp(service, 'alone@x')
    await person.addPasskey()
    const browser = person.elsewhere()
    const { body } = await browser.call('POST', `${SIGN_IN}-options`)
    assert.deepEqual([body.options.userVerification, body.options.allowCredentials], ['required', undefined])
    assert.equal(body.options.rpId, 'localhost')
    const answer = await browser.call('POST', SIGN_IN, { passkey: person.device.get(body.options) })
    assert.deepEqual([answer.status, answer.body.user.email], [200, 'alone@x'])
    assert.deepEqual([...browser.cookies.keys()], ['ks_session', 'ks_device'])
    person.device.isVerifying = false
    assert.equal(said(await signIn(person.elsewhere(), person.device)), '401 body.passkey unauthorized')
  })

  test('answers a challenge once, in the browser that was asked, for this purpose', async () => {
    const person = await Factored.join(service, 'replay@x')
    await person.addPasskey()
    person.device.isCounting = false
    const [one, other] = [person.elsewhere(), person.elsewhere()]
    const { body } = await one.call('POST', `${SIGN_IN}-options`)
    const cookies = new Map(one.cookies)
    const passkey = person.device.get(body.options)
    await other.call('POST', `${SIGN_IN}-options`)
    assert.equal((await other.call('POST', SIGN_IN, { passkey })).status, 401)
    assert.equal((await person.elsewhere().call('POST', SIGN_IN, { passkey })).status, 401)
    const atOnce = await Promise.all([1, 2, 3].map(() => one.call('POST', SIGN_IN, { passkey })))
    assert.deepEqual(atOnce.map(({ status }) => status).sort(), [200, 401, 401])
    one.cookies.clear()
    for (const [name, value] of cookies) one.cookies.set(name, value)
    assert.equal((await one.call('POST', SIGN_IN, { passkey })).status, 401)
    // What was signed for one purpose is worth nothing for another.
    const confirming = await person.browser.call('POST', `${FACTORS}/confirm-options`)
    const waiting = await person.begin()
    await waiting.call('POST', '/api/session/second-factor/passkey-options')
    const reused = await finish(waiting, { passkey: person.device.get(confirming.body.options) })
    assert.equal(said(reused), '401 body.passkey unauthorized')
    // A wrong answer used the challenge up.
    const again = await waiting.call('POST', '/api/session/second-factor/passkey-options')
    assert.equal((await finish(waiting, { passkey: {} })).status, 401)
    assert.equal((await finish(waiting, { passkey: person.device.get(again.body.options) })).status, 401)
  })

  test('of another origin, of another host or with a bent signature is refused', async () => {
    const person = await Factored.join(service, 'forged@x')
    const begun = await person.browser.call('POST', `${FACTORS}/passkey-options`, { password: PASSWORD })
    const passkey = person.device.create(begun.body.options, 'https://evil.example')
    assert.equal(
      said(await person.browser.call('POST', `${FACTORS}/passkeys`, { name: 'A', passkey })),
      '422 body.passkey passkey_refused',
    )
    await person.addPasskey()
    const browser = person.elsewhere()
    const tries: ((options: never) => Record<string, unknown>)[] = [
      (options) => person.device.get(options, -1, 'https://evil.example'),
      (options) => person.device.get({ ...(options as object), rpId: 'evil.example' } as never),
      (options) => {
        const signed = person.device.get(options) as { response: Record<string, string> }
        const signature = `${signed.response.signature.slice(0, -6)}AAAAAA`
        return { ...signed, response: { ...signed.response, signature } }
      },
    ]
    for (const forge of tries) {
      const { body } = await browser.call('POST', `${SIGN_IN}-options`)
      assert.equal((await browser.call('POST', SIGN_IN, { passkey: forge(body.options as never) })).status, 401)
    }
    assert.equal((await signIn(browser, person.device)).status, 200)
  })

  test('whose count went back, as a copy’s would, is refused', async () => {
    const person = await Factored.join(service, 'copied@x')
    await person.addPasskey()
    assert.equal((await signIn(person.elsewhere(), person.device)).status, 200)
    person.device.count = 0
    assert.equal((await signIn(person.elsewhere(), person.device)).status, 401)
  })

  test('registered again, even by another user of the tenant, is refused', async () => {
    const [ann, bob] = [await Factored.join(service, 'dup-a@x'), await Factored.join(service, 'dup-b@x')]
    await ann.addPasskey()
    const { queries } = service.database
    const { credential_id: taken } = await queries
      .selectFrom('passkeys')
      .select('credential_id')
      .where('user_id', '=', ann.userId)
      .executeTakeFirstOrThrow()
    const begun = await bob.browser.call('POST', `${FACTORS}/passkey-options`, { password: PASSWORD })
    const credential = bob.device.create(begun.body.options)
    const data = Buffer.from((credential.response as { attestationObject: string }).attestationObject, 'base64url')
    Buffer.from(taken, 'base64url').copy(data, data.indexOf(Buffer.from(credential.id as string, 'base64url')))
    const response = { ...(credential.response as object), attestationObject: data.toString('base64url') }
    const passkey = { ...credential, id: taken, rawId: taken, response }
    assert.equal(
      said(await bob.browser.call('POST', `${FACTORS}/passkeys`, { name: 'B', passkey })),
      '409 body.passkey conflict',
    )
    assert.deepEqual((await bob.factors()).passkeys, [])
  })

  test('with the id of another person’s passkey in another tenant opens neither that account nor its own', async () => {
    await service.tenant('thieves')
    const ann = await Factored.join(service, 'victim@x')
    const eve = await Factored.join(service, 'eve@x', { tenant: 'thieves' })
    await ann.addPasskey()
    await eve.addPasskey()
    const { queries } = service.database
    const { credential_id: id } = await queries
      .selectFrom('passkeys')
      .select('credential_id')
      .where('user_id', '=', ann.userId)
      .executeTakeFirstOrThrow()
    await queries.updateTable('passkeys').set({ credential_id: id }).where('user_id', '=', eve.userId).execute()
    const browser = eve.elsewhere()
    const { body } = await browser.call('POST', `${SIGN_IN}-options`)
    const signed = eve.device.get(body.options)
    const { response } = signed as { response: Record<string, string> }
    const annsHandle = (ann.device.get(body.options) as { response: Record<string, string> }).response.userHandle
    const posing = { ...signed, id, rawId: id, response: { ...response, userHandle: annsHandle } }
    assert.equal((await browser.call('POST', SIGN_IN, { passkey: posing })).status, 401)
    const mine = await signIn(ann.elsewhere(), ann.device)
    assert.deepEqual([mine.status, mine.body.user.email, mine.body.tenant.id], [200, 'victim@x', 'default'])
  })

  test('works at its tenant’s own host alone, and a disabled user’s works nowhere', async () => {
    await service.tenant('hosted')
    const person = await Factored.join(service, 'hosted@x', { tenant: 'hosted' })
    await person.addPasskey()
    assert.equal((await signIn(person.elsewhere(), person.device)).status, 200)
    const waiting = await person.begin()
    await changeTenant(service.database, 'hosted', { host: 'hosted.example' })
    assert.equal((await signIn(person.elsewhere(), person.device)).status, 401)
    assert.equal(said(await waiting.call('GET', '/api/session/second-factor')), '401 header.cookie sign_in_again')
    const there = { host: 'hosted.example', origin: 'http://hosted.example' }
    const { body } = await person.elsewhere().call('POST', `${SIGN_IN}-options`, undefined, there)
    assert.equal(body.options.rpId, 'hosted.example')
    await changeTenant(service.database, 'hosted', { host: null })
    await changeUser(service.database, 'hosted', person.userId, { disabled: true }).catch(() => undefined)
    const { queries } = service.database
    await queries.updateTable('users').set({ disabled_at: 1 }).where('id', '=', person.userId).execute()
    assert.equal((await signIn(person.elsewhere(), person.device)).status, 401)
  })

  test('works in every process: asked for in one, answered in another', async () => {
    const person = await Factored.join(service, 'processes@x')
    await person.addPasskey()
    const sibling = await service.sibling({ PUBLIC_URL: service.service.publicUrl })
    try {
      const browser = new Browser(service, service.service.publicUrl)
      const { body } = await browser.call('POST', `${SIGN_IN}-options`)
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { origin: service.service.publicUrl, host: new URL(service.service.publicUrl).host, cookie }
      const sent = { key: null, body: { passkey: person.device.get(body.options) }, headers }
      assert.equal((await service.call('POST', SIGN_IN, sent, sibling.url)).status, 200)
    } finally {
      await sibling.stop()
    }
  })

  test('is one of at most twenty', async () => {
    const person = await Factored.join(service, 'collector@x')
    for (let i = 0; i < 20; i++) await person.addPasskey(`Key ${i}`)
    assert.equal((await person.browser.call('POST', `${FACTORS}/passkey-options`, {})).status, 409)
  })

  test('made in a session that began without the factor the person has is refused, until that factor is proved', async () => {
    const person = await Factored.withApp(service, 'weak@x')
    const { queries } = service.database
    await queries.updateTable('sessions').set({ strength: 'provider' }).where('user_id', '=', person.userId).execute()
    const begin = (proof: object) => person.browser.call('POST', `${FACTORS}/passkey-options`, proof)
    for (const proof of [{}, { password: PASSWORD }]) assert.equal(said(await begin(proof)), '403 body proof_needed')
    assert.equal((await begin({ code: codeOf(person.secret) })).status, 200)
    await person.addPasskey()
  })
})
