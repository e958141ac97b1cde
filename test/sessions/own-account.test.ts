import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Browser } from './browser.ts'
import { until } from '../support/patience.ts'

const PROFILE = '/api/session/profile'
const SESSIONS = '/api/session/sessions'
const PASSWORD = 'correct horse battery'
const OTHER = 'another horse battery'

onAnyDatabase('a person’s own account', (kind) => {
  let service: TestService
  let people = 0
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const person = async () => {
    const email = `person-${++people}@x`
    const { userId, key } = await service.user({ email, role: 'reader' })
    await givePassword(service.database, 'default', userId, PASSWORD)
    const open = async (browser = 'Firefox') => {
      const opened = new Browser(service)
      const { status } = await opened.call(
        'POST',
        '/api/session',
        { email, password: PASSWORD },
        { 'user-agent': browser },
      )
      assert.equal(status, 200)
      return opened
    }
    return { email, userId, key, open }
  }
  const isOpen = async (browser: Browser) => (await browser.call('GET', '/api/session')).status === 200

  test('people change their name and the language of the pages, and nothing else', async () => {
    const { email, userId, open } = await person()
    const browser = await open()
    const whole = { id: userId, email, role: 'reader', has_password: true }
    assert.deepEqual((await browser.call('GET', PROFILE)).body, { ...whole, name: email, language: null })
    const changed = await browser.call('PATCH', PROFILE, {
      name: 'Ann',
      language: 'en',
      role: 'admin',
      email: 'other@x',
    })
    assert.deepEqual([changed.status, changed.body], [200, { ...whole, name: 'Ann', language: 'en' }])
    assert.deepEqual((await browser.call('PATCH', PROFILE, { language: null })).body, {
      ...whole,
      name: 'Ann',
      language: null,
    })
    assert.ok(!('language' in (await browser.call('GET', '/api/session')).body.user))
    await browser.call('PATCH', PROFILE, { language: 'de' })
    assert.equal((await browser.call('GET', '/api/session')).body.user.language, 'de')
    const bad = await browser.call('PATCH', PROFILE, { language: 'fr' })
    assert.deepEqual([bad.status, bad.body.detail[0].loc], [422, ['body', 'language']])
    assert.equal((await browser.call('GET', '/api/session')).body.user.role, 'reader')
  })

  test('a key reads the account of its user, and changes nothing of it', async () => {
    const { userId, key } = await person()
    assert.equal((await service.call('GET', PROFILE, { key })).body.id, userId)
    const refused = [
      await service.call('PATCH', PROFILE, { key, body: { name: 'Other' } }),
      await service.call('PUT', '/api/session/password', {
        key,
        body: { old_password: PASSWORD, new_password: OTHER },
      }),
      await service.call('GET', SESSIONS, { key }),
      await service.call('DELETE', SESSIONS, { key }),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403, 403],
    )
    assert.equal((await service.call('GET', PROFILE, { key: await service.key(['knowledge:read']) })).status, 404)
  })

  test('another password asks for the old one, and ends the other sessions', async () => {
    const { email, userId, open } = await person()
    const reset = await service.call('POST', `/api/knowledge/users/${userId}/password-reset`)
    const [here, there] = [await open(), await open()]
    const change = (old_password: string, new_password: string) =>
      here.call('PUT', '/api/session/password', { old_password, new_password })
    const wrong = await change('not my password', OTHER)
    assert.deepEqual([wrong.status, wrong.body.detail[0].loc], [422, ['body', 'old_password']])
    const short = await change(PASSWORD, 'short')
    assert.deepEqual([short.status, short.body.detail[0].loc], [422, ['body', 'new_password']])
    assert.ok(await isOpen(there))
    assert.equal((await change(PASSWORD, OTHER)).status, 204)
    assert.deepEqual([await isOpen(here), await isOpen(there)], [true, false])
    const link = { token: reset.body.link.split('#')[1], password: 'a third horse battery' }
    assert.equal((await there.call('POST', '/api/session/new-password', link)).status, 404)
    assert.equal((await new Browser(service).signIn(email, PASSWORD)).status, 401)
    assert.equal((await new Browser(service).signIn(email, OTHER)).status, 200)
  })

  test('guessing the password in a stolen session is bounded, and the person can see it', async () => {
    const { userId, open } = await person()
    const browser = await open()
    const body = { old_password: 'a wrong guess at it', new_password: OTHER }
    let status = 0
    let tries = 0
    do ({ status } = await browser.call('PUT', '/api/session/password', body))
    while (status === 422 && ++tries < 20)
    assert.deepEqual([status, tries], [429, 10])
    const told = async () =>
      service.database.queries
        .selectFrom('audit_log')
        .select('id')
        .where('resource_id', '=', userId)
        .where('action', '=', 'sign_in_refused')
        .execute()
    await until(async () => (await told()).length > 0, 'the guesses are audited')
    assert.ok((await told()).length > 0, 'the person sees the guesses in the audit log')
  })

  test('sessions say when, where and by which browser; one is ended, then all', async () => {
    const { userId, open } = await person()
    const [here, there, third] = [
      await open('Firefox'),
      await open(`Chromium ${'x'.repeat(500)}`),
      await open('Safari'),
    ]
    const { body } = await here.call('GET', SESSIONS)
    assert.deepEqual(
      body.map(({ browser, current }: { browser: string; current: boolean }) => [browser.slice(0, 8), current]),
      [
        ['Safari', false],
        ['Chromium', false],
        ['Firefox', true],
      ],
    )
    assert.equal(body[1].browser.length, 300)
    for (const { address, created_at: at } of body) {
      assert.match(address, /^(127\.0\.0\.1|::1)/)
      assert.ok(Math.abs(Date.now() - Date.parse(at)) < 60_000)
    }
    const stranger = await (await person()).open()
    assert.equal((await stranger.call('DELETE', `${SESSIONS}/${body[1].id}`)).status, 404)
    assert.ok(await isOpen(there))
    assert.equal((await here.call('DELETE', `${SESSIONS}/${body[1].id}`)).status, 204)
    assert.deepEqual([await isOpen(here), await isOpen(there), await isOpen(third)], [true, false, true])
    const everywhere = await here.call('DELETE', SESSIONS)
    assert.equal(everywhere.status, 204)
    assert.deepEqual([...here.cookies.keys()], ['ks_device'], 'the browser stays known')
    assert.deepEqual([await isOpen(third), await isOpen(stranger)], [false, true])
    const ended = await service.database.queries
      .selectFrom('audit_log')
      .select('resource_id')
      .where('action', '=', 'sign_out')
      .where('user_id', '=', userId)
      .execute()
    assert.deepEqual(new Set(ended.map((row) => row.resource_id)), new Set(body.map(({ id }: { id: string }) => id)))
  })
})
