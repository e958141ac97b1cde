import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { hashSecret } from '../../src/platform/random-secret.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { type Answer, TestService } from '../support/service.ts'
import { Browser } from './browser.ts'

const INVITATIONS = '/api/knowledge/invitations'
const ACCEPT = '/api/session/invitation'
const PASSWORD = 'correct horse battery'

onAnyDatabase('inviting people', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const invite = (email: string, more: object = {}, key = service.adminKey) =>
    service.call('POST', INVITATIONS, { key, body: { email, role: 'editor', ...more } })
  const tokenOf = ({ body }: Answer) => /#([\w-]{43})$/.exec(body.link)![1]
  const keyOf = (userId: string | null) =>
    issueApiKey(service.database, 'default', { name: 'key', scopes: ROLE_SCOPES.admin, userId, expiresAt: null })
  const accept = (token: string, password = PASSWORD, browser = new Browser(service)) =>
    browser.call('POST', ACCEPT, { token, name: 'Ann', password })

  test('a person with the link chooses a name and a password, once, and is signed in', async () => {
    const invited = await invite('Ann@x', { ceiling: 'internal' })
    assert.equal(invited.status, 201)
    const { link, invited_by: by, ...rest } = invited.body
    assert.equal(link, `${service.service.publicUrl}/console/invitation#${tokenOf(invited)}`)
    assert.equal(by.email, 'admin@localhost')
    assert.deepEqual([rest.email, rest.role, rest.ceiling], ['ann@x', 'editor', 'internal'])
    assert.equal(Date.parse(rest.expires_at) - Date.parse(rest.created_at), 72 * 3_600_000)
    const { body: listed } = await service.call('GET', INVITATIONS)
    assert.deepEqual(listed, [{ ...rest, invited_by: by }])
    const stored = await service.database.queries.selectFrom('invitations').selectAll().execute()
    assert.equal(stored[0].hash, hashSecret(tokenOf(invited)))
    assert.ok(!JSON.stringify(stored).includes(tokenOf(invited)))

    const browser = new Browser(service)
    const accepted = await accept(tokenOf(invited), PASSWORD, browser)
    assert.deepEqual([accepted.status, accepted.body.user.name, accepted.body.user.role], [200, 'Ann', 'editor'])
    assert.ok(
      accepted.body.scopes.includes('visibility:internal') && !accepted.body.scopes.includes('visibility:workspace'),
    )
    assert.equal((await browser.call('GET', '/api/session')).body.user.email, 'ann@x')
    assert.equal((await new Browser(service).signIn('ann@x', PASSWORD)).status, 200)
    assert.equal((await accept(tokenOf(invited))).status, 404)
    assert.deepEqual((await service.call('GET', INVITATIONS)).body, [])
    const actions = await service.database.queries
      .selectFrom('audit_log')
      .select(['action', 'user_id'])
      .where('resource_id', '=', rest.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(actions, [
      { action: 'create', user_id: by.id },
      { action: 'accept', user_id: accepted.body.user.id },
    ])
  })

  test('a person with the link sees what it is about before accepting, as often as they like', async () => {
    const token = tokenOf(await invite('Curious@x'))
    const show = (of = token) => new Browser(service).call('POST', `${ACCEPT}/show`, { token: of })
    const admin = (await service.call('GET', '/api/session')).body.user.name
    for (let looks = 0; looks < 100; looks++) {
      const { status, body } = await show()
      const { expires_at: until, ...rest } = body
      assert.equal(status, 200)
      assert.ok(Date.parse(until) > Date.now())
      assert.deepEqual(rest, { email: 'curious@x', role: 'editor', tenant_name: 'Default', invited_by: admin })
    }
    assert.equal((await service.call('POST', `${ACCEPT}/show`, { key: null, body: { token } })).status, 403)
    assert.equal((await accept(token)).status, 200)
    assert.equal((await show()).status, 404)
    assert.deepEqual((await show('never-made')).body, (await show()).body)
  })

  test('a link whose inviter may no longer give the role shows nothing', async () => {
    const { userId, key } = await service.user({ email: 'inviter-of-shown@x' })
    const token = tokenOf(await invite('shown@x', {}, key))
    const show = async () => (await new Browser(service).call('POST', `${ACCEPT}/show`, { token })).status
    assert.equal(await show(), 200)
    await service.call('PATCH', `/api/knowledge/users/${userId}`, { body: { role: 'editor' } })
    assert.equal(await show(), 404)
  })

  test('a link for a new password says whose it is, until it is used or the person is disabled', async () => {
    const { userId } = await service.user({ email: 'renewed@x', role: 'reader' })
    const give = () => service.call('POST', `/api/knowledge/users/${userId}/password-reset`)
    const token = tokenOf(await give())
    const show = () => new Browser(service).call('POST', '/api/session/new-password/show', { token })
    const { status, body } = await show()
    assert.deepEqual([status, body.email, body.tenant_name], [200, 'renewed@x', 'Default'])
    assert.ok(Date.parse(body.expires_at) > Date.now())
    const disable = (disabled: boolean) =>
      service.call('PATCH', `/api/knowledge/users/${userId}`, { body: { disabled } })
    await disable(true)
    assert.equal((await show()).status, 404)
    await disable(false)
    await new Browser(service).call('POST', '/api/session/new-password', { token, password: PASSWORD })
    assert.equal((await show()).status, 404)
  })

  test('two people who accept at the same moment make one user', async () => {
    const token = tokenOf(await invite('twice@x'))
    const answers = await Promise.all([accept(token), accept(token)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404])
  })

  test('sending again makes another link, and the one before ends', async () => {
    const first = await invite('again@x')
    assert.equal((await invite('again@x')).status, 409)
    const path = `${INVITATIONS}/${first.body.id}/send`
    const second = await service.call('POST', path, { body: { expires_in_hours: 1 } })
    assert.deepEqual([second.status, second.body.id], [200, first.body.id])
    assert.equal(Date.parse(second.body.expires_at) - Date.parse(second.body.created_at), 3_600_000)
    assert.equal((await accept(tokenOf(first))).status, 404)
    assert.equal((await accept(tokenOf(second))).status, 200)
    assert.equal((await service.call('POST', path, { body: {} })).status, 404)
  })

  test('a withdrawn, an expired and an unknown link get the same answer', async () => {
    const withdrawn = await invite('withdrawn@x')
    assert.equal((await service.call('DELETE', `${INVITATIONS}/${withdrawn.body.id}`)).status, 204)
    assert.equal((await service.call('DELETE', `${INVITATIONS}/${withdrawn.body.id}`)).status, 404)
    const expired = await invite('expired@x')
    await service.database.queries
      .updateTable('invitations')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', expired.body.id)
      .execute()
    const answers = await Promise.all(
      [tokenOf(withdrawn), tokenOf(expired), 'never-made'].map((token) => accept(token)),
    )
    for (const { status, body } of answers) assert.deepEqual([status, body], [404, answers[0].body])
  })

  test('a link works at its tenant’s host alone', async () => {
    await service.tenant('hosted')
    const key = await service.key(ROLE_SCOPES.admin, 'hosted')
    const shared = await invite('moved@x', {}, key)
    await changeTenant(service.database, 'hosted', { host: 'hosted.example' })
    assert.equal((await accept(tokenOf(shared))).status, 404)
  })

  test('a bad password leaves the invitation as it is', async () => {
    const token = tokenOf(await invite('short@x'))
    const { status, body } = await accept(token, 'too short')
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'password']])
    assert.equal((await accept(token)).status, 200)
  })

  test('an address has one user and one invitation', async () => {
    const invitation = await invite('ADMIN@localhost')
    assert.deepEqual([invitation.status, invitation.body.detail[0].loc], [409, ['body', 'email']])
    const malformed = await invite('nobody')
    assert.deepEqual([malformed.status, malformed.body.detail[0].loc], [422, ['body', 'email']])
    const token = tokenOf(await invite('meanwhile@x'))
    await service.user({ email: 'meanwhile@x', role: 'reader' })
    assert.equal((await accept(token)).status, 409)
  })

  test('no administrator invites to more than they may do, or by a credential that ends', async () => {
    const bounded = await service.key([
      ...ROLE_SCOPES.admin.filter((s) => !s.startsWith('visibility:')),
      'visibility:internal',
    ])
    const refused = await invite('more@x', { role: 'admin' }, bounded)
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [403, ['body', 'role']])
    assert.equal((await invite('less@x', { role: 'admin', ceiling: 'internal' }, bounded)).status, 201)
    const high = await invite('high@x', { role: 'admin' })
    const again = await service.call('POST', `${INVITATIONS}/${high.body.id}/send`, { key: bounded, body: {} })
    assert.equal(again.status, 403)
    const ending = await service.call('POST', '/api/knowledge/api-keys', {
      body: { name: 'ending', scopes: ROLE_SCOPES.admin, expires_at: '2100-01-01T00:00:00Z' },
    })
    assert.equal((await invite('ending@x', {}, ending.body.key)).status, 403)
  })

  test('an invitation ends when its sender may no longer give the role', async () => {
    const { userId } = await service.user({ email: 'inviter@x' })
    await givePassword(service.database, 'default', userId, PASSWORD)
    const browser = new Browser(service)
    await browser.signIn('inviter@x', PASSWORD)
    const links = []
    for (const email of ['one@x', 'two@x']) {
      const sent = await browser.call('POST', INVITATIONS, { email, role: 'reader' })
      links.push(tokenOf(sent))
    }
    const change = (body: object) => service.call('PATCH', `/api/knowledge/users/${userId}`, { body })
    await change({ role: 'editor' })
    assert.equal((await accept(links[0])).status, 404)
    await change({ role: 'admin', disabled: true })
    assert.equal((await accept(links[0])).status, 404)
    await change({ disabled: false })
    assert.equal((await accept(links[0])).status, 200)
  })

  test('an invitation of a key ends with the key, also of one without a user', async () => {
    const me = (await service.call('GET', '/api/session')).body.user.id
    for (const [i, userId] of [null, me].entries()) {
      const { id, key } = await keyOf(userId)
      const token = tokenOf(await invite(`of-a-key-${i}@x`, {}, key))
      const show = async () => (await new Browser(service).call('POST', `${ACCEPT}/show`, { token })).status
      assert.equal(await show(), 200)
      assert.equal((await service.call('DELETE', `/api/knowledge/api-keys/${id}`)).status, 204)
      assert.equal(await show(), 404)
      assert.equal((await accept(token)).status, 404)
    }
  })

  test('a link for a new password ends when its giver may no longer give it, and when its user changes', async () => {
    const users = '/api/knowledge/users'
    const forgetful = await service.user({ email: 'target@x', role: 'editor' })
    const change = async (userId: string, body: object) =>
      assert.equal((await service.call('PATCH', `${users}/${userId}`, { body })).status, 200)
    const give = async (key: string) =>
      tokenOf(await service.call('POST', `${users}/${forgetful.userId}/password-reset`, { key }))
    const outcome = async (token: string) => {
      const body = { token, password: PASSWORD }
      const view = await new Browser(service).call('POST', '/api/session/new-password/show', { token })
      const used = await new Browser(service).call('POST', '/api/session/new-password', body)
      return [view.status, used.status]
    }
    const giver = (email: string) => service.user({ email })
    const endings: [string, (giver: { userId: string; key: string }) => Promise<unknown>][] = [
      ['disabled', ({ userId }) => change(userId, { disabled: true })],
      ['demoted', ({ userId }) => change(userId, { role: 'editor' })],
      ['lowered', ({ userId }) => change(userId, { ceiling: 'community' })],
      ['erased', ({ userId }) => service.call('DELETE', `${users}/${userId}`)],
      ['outgrown', () => change(forgetful.userId, { role: 'admin' })],
      ['raised', () => change(forgetful.userId, { role: 'editor', ceiling: 'public' })],
      [
        'paused',
        async () => {
          await change(forgetful.userId, { disabled: true })
          await change(forgetful.userId, { disabled: false })
        },
      ],
    ]
    for (const [name, end] of endings) {
      const by = await giver(`${name}@givers`)
      const token = await give(by.key)
      await end(by)
      assert.deepEqual(await outcome(token), [404, 404], name)
    }
    const helpdesk = await keyOf(null)
    const token = await give(helpdesk.key)
    await service.call('DELETE', `/api/knowledge/api-keys/${helpdesk.id}`)
    assert.deepEqual(await outcome(token), [404, 404], 'revoked')
    const link = await give((await giver('steady@givers')).key)
    await change(forgetful.userId, { name: 'Renamed' })
    assert.deepEqual(await outcome(link), [200, 204])
  })

  test('pages of another origin accept nothing', async () => {
    const token = tokenOf(await invite('foreign@x'))
    const answer = await new Browser(service).call(
      'POST',
      ACCEPT,
      { token, name: 'Ann', password: PASSWORD },
      { origin: 'https://elsewhere.example' },
    )
    assert.equal(answer.status, 403)
    assert.equal((await accept(token)).status, 200)
  })

  test('an administrator gives a link for a new password, which ends every session and opens none', async () => {
    const { userId } = await service.user({ email: 'forgetful@x', role: 'reader' })
    await givePassword(service.database, 'default', userId, PASSWORD)
    const browser = new Browser(service)
    await browser.signIn('forgetful@x', PASSWORD)
    const give = async () =>
      (await service.call('POST', `/api/knowledge/users/${userId}/password-reset`)).body.link as string
    const [first, second] = [await give(), await give()]
    const use = (link: string, password: string) =>
      new Browser(service).call('POST', '/api/session/new-password', { token: link.split('#')[1], password })
    assert.match(second, /\/console\/new-password#[\w-]{43}$/)
    assert.equal((await use(first, 'another horse battery')).status, 404)
    assert.equal((await use(second, 'short')).status, 422)
    assert.equal((await browser.call('GET', '/api/session')).status, 200)
    const used = await use(second, 'another horse battery')
    assert.equal(used.status, 204)
    const cookies = used.headers.getSetCookie().map((cookie) => cookie.split('=')[0])
    assert.deepEqual(cookies, ['ks_device'], 'the browser is known, and has no session')
    assert.equal((await use(second, 'a third horse battery')).status, 404)
    assert.equal((await browser.call('GET', '/api/session')).status, 401)
    assert.equal((await browser.signIn('forgetful@x', PASSWORD)).status, 401)
    assert.equal((await browser.signIn('forgetful@x', 'another horse battery')).status, 200)
    await service.call('PATCH', `/api/knowledge/users/${userId}`, { body: { disabled: true } })
    assert.equal((await service.call('POST', `/api/knowledge/users/${userId}/password-reset`)).status, 409)
  })

  test('without mail a forgotten password is a matter for an administrator', async () => {
    const browser = new Browser(service)
    assert.deepEqual((await browser.call('GET', '/api/session/methods')).body, { password: true, provider: null })
    const { status } = await browser.call('POST', '/api/session/forgotten-password', { email: 'ann@x' })
    assert.equal(status, 409)
  })

  test('an address that tries many unknown invitations has to wait', async () => {
    let last: Answer
    let tries = 0
    do last = await accept(`unknown-${++tries}`)
    while (last.status === 404 && tries < 100)
    assert.equal(last.status, 429)
    assert.ok(Number(last.headers.get('retry-after')) > 0)
  })

  // This is the last test: afterwards this address may try no link for a while.
  test('an address that looks at many unknown links has to wait, too', async () => {
    for (const path of [`${ACCEPT}/show`, '/api/session/new-password/show']) {
      const guess = async () => (await new Browser(service).call('POST', path, { token: 'never-made' })).status
      const guesses = await Promise.all(Array.from({ length: 70 }, guess))
      assert.ok(guesses.includes(429), path)
    }
  })
})
