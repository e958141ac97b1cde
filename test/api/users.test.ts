import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { findApiKey, insertApiKey, lockApiKey } from '../../src/identity/api-keys/store.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { givePassword } from '../support/passwords.ts'
import { onEachDatabase } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { writeWaits } from '../support/waiting-writes.ts'
import { Browser } from '../sessions/browser.ts'

const USERS = '/api/knowledge/users'
const PASSWORD = 'correct horse battery'

onEachDatabase('managing users', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const call = (method: string, path: string, body?: unknown, key = service.adminKey) =>
    service.call(method, path, { key, body })
  const auditOf = async (resourceId: string) =>
    (
      await service.database.queries
        .selectFrom('audit_log')
        .select('action')
        .where('resource_id', '=', resourceId)
        .orderBy('id')
        .execute()
    ).map(({ action }) => action)

  test('an administrator finds users by a part of their name or address, in any case, page by page', async () => {
    const finding = await service.tenant('finding')
    const { key } = await service.user({ tenant: finding, email: 'chief@x' })
    for (const name of ['ann', 'anna', 'bob', 'joanna']) {
      await service.user({ tenant: finding, email: `${name}@x`, role: 'reader' })
    }
    const { userId } = await service.user({ tenant: finding, email: 'zoe@x', role: 'reader' })
    await call('PATCH', `${USERS}/${userId}`, { name: 'Zoë ANNÄHER' }, key)
    const emails = async (query: string) =>
      (await call('GET', `${USERS}?${query}`, undefined, key)).body.map((u: { email: string }) => u.email)
    assert.deepEqual(await emails('query=ANN'), ['ann@x', 'anna@x', 'joanna@x', 'zoe@x'])
    assert.deepEqual(await emails('query=ann%C3%A4h'), ['zoe@x'])
    assert.deepEqual(await emails('query=%25'), [])
    const first = await call('GET', `${USERS}?query=ann&limit=3`, undefined, key)
    const [, next] = /<([^>]*)>/.exec(first.headers.get('link')!)!
    assert.deepEqual(
      (await call('GET', next, undefined, key)).body.map((u: { email: string }) => u.email),
      ['zoe@x'],
    )
  })

  test('a list has the users of one role, the active or the disabled ones, and their ceilings when asked', async () => {
    const listing = await service.tenant('listing')
    const { key } = await service.user({ tenant: listing, email: 'chief@x' })
    const { userId } = await service.user({ tenant: listing, email: 'away@x', role: 'editor' })
    await service.user({ tenant: listing, email: 'writer@x', role: 'editor' })
    const list = async (query: string) => (await call('GET', `${USERS}?${query}`, undefined, key)).body
    const emails = async (query: string) => (await list(query)).map((u: { email: string }) => u.email)
    await call('PATCH', `${USERS}/${userId}`, { ceiling: 'internal', disabled: true }, key)
    assert.deepEqual(await emails('role=editor'), ['away@x', 'writer@x'])
    assert.deepEqual(await emails('role=editor&disabled=false'), ['writer@x'])
    assert.deepEqual(await emails('disabled=true'), ['away@x'])
    assert.deepEqual(await emails('role=admin&query=writer'), [])
    const [plain] = await list('disabled=true')
    assert.deepEqual(Object.keys(plain), ['id', 'email', 'name', 'role', 'disabled'])
    const [whole] = await list('disabled=true&include_details=true')
    const read = (await call('GET', `${USERS}/${userId}`, undefined, key)).body
    const { language: _, ...rest } = read
    assert.deepEqual(whole, rest)
    assert.deepEqual([whole.ceiling, typeof whole.disabled_at], ['internal', 'string'])
    assert.equal((await call('GET', `${USERS}?role=owner`, undefined, key)).status, 422)
  })

  test('an administrator sees what a user signs in with and where, and signs the user out everywhere', async () => {
    const { userId, key } = await service.user({ email: 'seen@x', role: 'reader' })
    const signIn = async () => (await call('GET', `${USERS}/${userId}/sign-in`)).body
    const nothing = { has_password: false, authenticator_app: false, passkeys: 0, recovery_codes_left: 0 }
    assert.deepEqual(await signIn(), nothing)
    await givePassword(service.database, service.tenantId, userId, PASSWORD)
    assert.deepEqual(await signIn(), { ...nothing, has_password: true })
    const browsers = [new Browser(service), new Browser(service)]
    for (const [i, browser] of browsers.entries()) {
      const opened = await browser.call(
        'POST',
        '/api/session',
        { email: 'seen@x', password: PASSWORD },
        { 'user-agent': `Browser ${i}` },
      )
      assert.equal(opened.status, 200)
    }
    const listed = (await call('GET', `${USERS}/${userId}/sessions`)).body
    assert.deepEqual(listed.map((s: { browser: string }) => s.browser).toSorted(), ['Browser 0', 'Browser 1'])
    assert.deepEqual(Object.keys(listed[0]), ['id', 'created_at', 'expires_at', 'address', 'browser'])
    assert.equal((await call('DELETE', `${USERS}/${userId}/sessions`)).status, 204)
    for (const browser of browsers) assert.equal((await browser.call('GET', '/api/session')).status, 401)
    assert.deepEqual((await call('GET', `${USERS}/${userId}/sessions`)).body, [])
    assert.deepEqual(await auditOf(listed[0].id), ['sign_in', 'sign_out'])
    // Keys still work, and the person can sign in anew.
    assert.equal((await call('GET', '/api/session', undefined, key)).status, 200)
    assert.equal((await browsers[0].signIn('seen@x', PASSWORD)).status, 200)
  })

  test('no administrator signs out a user who may do more, and a user of another tenant is unknown', async () => {
    const { userId: chief } = await service.user({ email: 'unseated@x' })
    const low = await service.key(['tenant:admin', 'visibility:internal'])
    assert.equal((await call('DELETE', `${USERS}/${chief}/sessions`, undefined, low)).status, 403)
    const nextDoor = await service.tenant('next-door')
    const { key } = await service.user({ tenant: nextDoor, email: 'other@x' })
    for (const [method, path] of [
      ['GET', 'sign-in'],
      ['GET', 'sessions'],
      ['DELETE', 'sessions'],
    ] as const) {
      assert.equal((await call(method, `${USERS}/${chief}/${path}`, undefined, key)).status, 404)
    }
  })

  test('a role and a ceiling bound a user from the next request on', async () => {
    const { userId, key } = await service.user({ email: 'bounded@x', role: 'editor' })
    const before = await call('GET', '/api/session', undefined, key)
    assert.ok(before.body.scopes.includes('visibility:workspace'))
    const changed = await call('PATCH', `${USERS}/${userId}`, { ceiling: 'community', name: 'Bounded' })
    assert.deepEqual([changed.status, changed.body.ceiling, changed.body.name], [200, 'community', 'Bounded'])
    const { scopes } = (await call('GET', '/api/session', undefined, key)).body
    assert.deepEqual(
      scopes.filter((scope: string) => scope.startsWith('visibility:')),
      ['visibility:public', 'visibility:community'],
    )
    assert.ok(scopes.includes('knowledge:write'))
    await call('PATCH', `${USERS}/${userId}`, { role: 'reader', ceiling: null })
    assert.equal((await call('GET', `${USERS}/${userId}`)).body.ceiling, null)
    assert.ok(!(await call('GET', '/api/session', undefined, key)).body.scopes.includes('knowledge:write'))
    assert.deepEqual(await auditOf(userId), ['create', 'update', 'update'])
  })

  test('a ceiling holds for sessions too', async () => {
    const { userId } = await service.user({ email: 'seated@x', role: 'editor' })
    await givePassword(service.database, service.tenantId, userId, PASSWORD)
    await call('PATCH', `${USERS}/${userId}`, { ceiling: 'internal' })
    const { body } = await new Browser(service).signIn('seated@x', PASSWORD)
    assert.ok(!body.scopes.includes('visibility:workspace'))
  })

  test('disabling ends sessions, grants and issued keys at once; enabling brings back the user’s own keys', async () => {
    const { userId, key } = await service.user({ email: 'leaving@x', role: 'admin' })
    await givePassword(service.database, service.tenantId, userId, PASSWORD)
    const browser = new Browser(service)
    await browser.signIn('leaving@x', PASSWORD)
    const issued = await browser.call('POST', '/api/knowledge/api-keys', { name: 'robot', scopes: ['knowledge:read'] })
    assert.equal(issued.status, 201, JSON.stringify(issued.body))
    const { grant } = await storeOAuthRecords(service.database, {
      tenantId: service.tenantId,
      userId,
      origin: service.service.url,
    })
    const hasGrant = async () =>
      (await call('GET', '/api/knowledge/oauth-grants')).body.some((each: { id: string }) => each.id === grant)
    const isOpen = async (credential: string) =>
      (await call('GET', '/api/session', undefined, credential)).status === 200
    assert.deepEqual([await isOpen(key), await hasGrant(), await isOpen(issued.body.key)], [true, true, true])
    assert.equal((await call('PATCH', `${USERS}/${userId}`, { disabled: true })).body.disabled, true)
    assert.deepEqual([await isOpen(key), await hasGrant(), await isOpen(issued.body.key)], [false, false, false])
    assert.equal((await browser.call('GET', '/api/session')).status, 401)
    assert.equal((await call('PATCH', `${USERS}/${userId}`, { disabled: false })).body.disabled_at, null)
    assert.deepEqual([await isOpen(key), await hasGrant(), await isOpen(issued.body.key)], [true, false, false])
  })

  /** An administrator with keys for others and a client of each, as somebody leaves behind who set everything up. */
  const founder = async (email: string) => {
    const { userId, key } = await service.user({ email })
    await givePassword(service.database, service.tenantId, userId, PASSWORD)
    const browser = new Browser(service)
    await browser.signIn(email, PASSWORD)
    const scopes = ['knowledge:read', 'clients:register', 'visibility:internal']
    const order = (name: string) => ({ name, scopes })
    // May issue keys itself, as a script that sets up others does.
    const setUp = { name: 'Feed', scopes: [...scopes, 'tenant:admin'], confirmation: { password: PASSWORD } }
    const feed = (await browser.call('POST', '/api/knowledge/api-keys', setUp)).body
    const robot = (await browser.call('POST', '/api/knowledge/api-keys', order('Robot'))).body
    // A key of the person's feed, which knows no person any more.
    const second = (await call('POST', '/api/knowledge/api-keys', order('Of the feed'), feed.key)).body
    const register = async (by: string, name: string): Promise<{ client_id: string; client_secret: string }> =>
      (
        await call(
          'POST',
          '/oauth/register',
          {
            client_name: name,
            redirect_uris: ['http://127.0.0.1/cb'],
            grant_types: ['client_credentials'],
            response_types: [],
            token_endpoint_auth_method: 'client_secret_post',
          },
          by,
        )
      ).body
    const clients = {
      own: await register(key, 'Own'),
      feeds: await register(feed.key, 'Feeds'),
      second: await register(second.key, 'Second'),
    }
    return { userId, key, browser, feed, robot, second, clients }
  }
  const tokenOf = async (client: { client_id: string; client_secret: string }) => {
    const { client_id, client_secret } = client
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await service.call('POST', '/oauth/token', { key: null, body: form, headers })).status
  }
  const statusWith = async (key: string) => (await call('GET', '/api/session', undefined, key)).status
  const names = (rows: { name?: string; client_name?: string }[]) =>
    rows.map(({ name, client_name }) => name ?? client_name).sort()

  test('what a user issued, through keys too, is listed beforehand and ends with the user, disabled or erased', async () => {
    for (const [email, end] of [
      ['disabled-founder@x', (id: string) => call('PATCH', `${USERS}/${id}`, { disabled: true })],
      ['erased-founder@x', (id: string) => call('DELETE', `${USERS}/${id}`)],
    ] as const) {
      const { userId, key, feed, robot, second, clients } = await founder(email)
      const { status, body } = await call('GET', `${USERS}/${userId}/access`)
      assert.equal(status, 200)
      assert.deepEqual(names(body.own_api_keys), [email])
      assert.deepEqual(names(body.issued_api_keys), ['Feed', 'Of the feed', 'Robot'])
      assert.deepEqual(names(body.oauth_clients), ['Feeds', 'Own', 'Second'])
      for (const client of Object.values(clients)) assert.equal(await tokenOf(client), 200)
      assert.ok((await end(userId)).status < 300)
      for (const each of [key, feed.key, robot.key, second.key]) assert.equal(await statusWith(each), 401, email)
      for (const client of Object.values(clients)) assert.equal(await tokenOf(client), 401, email)
      const listed = (await call('GET', '/api/knowledge/oauth-clients')).body
      const ids = new Set(listed.map(({ client_id: id }: { client_id: string }) => id))
      for (const { client_id: id } of Object.values(clients)) assert.ok(!ids.has(id))
      assert.ok((await auditOf(clients.second.client_id)).includes('delete'))
      assert.ok((await auditOf(second.id)).includes('revoke'))
    }
  })

  test('a key that is being issued while the issuer of its issuer loses access ends too', async () => {
    const { database, tenantId } = service
    for (const [email, change] of [
      ['disabled-issuer@x', { disabled: true }],
      ['demoted-issuer@x', { role: 'editor' }],
    ] as const) {
      const { userId, feed } = await founder(email)
      const id = randomUUID()
      let changing: Promise<unknown> = Promise.resolve()
      await database.write(async (tx) => {
        assert.ok(await lockApiKey(tx, tenantId, feed.id, Date.now()))
        changing = changeUser(database, tenantId, userId, change)
        // The change has read that the user issued the feed's key, and waits to end it.
        await writeWaits(database)
        const issuer = (await findApiKey(tx, tenantId, feed.id))!
        const of = { issuer_kind: 'key', issuer_id: feed.id, issuer_user_id: null } as const
        await insertApiKey(tx, { ...issuer, id, hash: `hash of ${id}`, ...of })
      }, tenantId)
      await changing
      const late = await findApiKey(database.queries, tenantId, id)
      assert.notEqual(late!.revoked_at, null, email)
      assert.ok((await auditOf(id)).includes('revoke'))
    }
  })

  const scopesWith = async (by: string): Promise<string[]> =>
    (await call('GET', '/api/session', undefined, by)).body.scopes

  test('an administrator who becomes an editor offers prompts no more with their own keys', async () => {
    const { database, tenantId } = service
    const { userId, key } = await service.user({ email: 'prompter@x' })
    await givePassword(database, tenantId, userId, PASSWORD)
    const browser = new Browser(service)
    await browser.signIn('prompter@x', PASSWORD)
    const issue = async (name: string, scopes: readonly string[]): Promise<{ id: string; key: string }> => {
      const order = { name, scopes, user_id: userId, confirmation: { password: PASSWORD } }
      const { status, body } = await browser.call('POST', '/api/knowledge/api-keys', order)
      assert.equal(status, 201, JSON.stringify(body))
      return body
    }
    const writing = await issue('Writing', ['knowledge:write', 'knowledge:prompts'])
    const offering = await issue('Offering', ['knowledge:prompts', 'visibility:internal'])
    const revoked = await issue('Revoked', ['knowledge:write', 'knowledge:prompts'])
    assert.equal((await call('DELETE', `/api/knowledge/api-keys/${revoked.id}`)).status, 204)
    // A key that has ended still tells that the user issued this one.
    const passing = await issue('Passing', ['tenant:admin', 'knowledge:write', 'knowledge:prompts'])
    const kept = { name: 'Left by a revoked key', scopes: ['knowledge:write', 'knowledge:prompts'], user_id: userId }
    const left = (await call('POST', '/api/knowledge/api-keys', kept, passing.key)).body
    assert.equal((await call('DELETE', `/api/knowledge/api-keys/${passing.id}`)).status, 204)
    const expiring = { name: 'Expired', scopes: ['knowledge:write', 'knowledge:prompts'], userId, expiresAt: 1 }
    const expired = await issueApiKey(database, tenantId, expiring)
    const { userId: giverId } = await service.user({ email: 'giver@x' })
    await givePassword(database, tenantId, giverId, PASSWORD)
    const giver = new Browser(service)
    await giver.signIn('giver@x', PASSWORD)
    const scopes = ['tenant:admin', 'knowledge:write', 'knowledge:prompts']
    const order = { name: 'Given', scopes, user_id: userId, confirmation: { password: PASSWORD } }
    const given = await giver.call('POST', '/api/knowledge/api-keys', order)
    const next = { name: 'By the given one', scopes: scopes.slice(1), user_id: userId }
    const ofGiven = await call('POST', '/api/knowledge/api-keys', next, given.body.key)
    assert.deepEqual([given.status, ofGiven.status], [201, 201])
    const colleague = await service.user({
      email: 'given@x',
      role: 'editor',
      scopes: [...ROLE_SCOPES.editor, 'knowledge:prompts'],
    })

    const foreseen = (await call('GET', `${USERS}/${userId}/access?role=reader`)).body
    assert.deepEqual(names(foreseen.own_api_keys), ['Offering'])
    const losing = ['By the given one', 'Left by a revoked key', 'Writing', 'prompter@x']
    assert.deepEqual(names(foreseen.narrowed_api_keys), losing)
    assert.equal((await call('PATCH', `${USERS}/${userId}`, { role: 'reader' })).status, 200)
    assert.equal((await call('PATCH', `${USERS}/${userId}`, { role: 'editor' })).status, 200)
    assert.deepEqual(await scopesWith(left.key), ['knowledge:write'])
    const ofPerson = await scopesWith(key)
    assert.deepEqual([ofPerson.includes('knowledge:write'), ofPerson.includes('knowledge:prompts')], [true, false])
    assert.deepEqual(await scopesWith(writing.key), ['knowledge:write'])
    assert.ok((await auditOf(writing.id)).includes('update'))
    assert.equal(await statusWith(offering.key), 401, 'it could do nothing else')
    assert.ok((await auditOf(offering.id)).includes('revoke'))
    assert.deepEqual(await scopesWith(ofGiven.body.key), ['knowledge:write'], 'the person issued it')
    for (const each of [given.body, colleague]) assert.ok((await scopesWith(each.key)).includes('knowledge:prompts'))
    for (const { id } of [revoked, expired]) {
      assert.equal((await findApiKey(database.queries, tenantId, id))!.scopes, 'knowledge:write knowledge:prompts')
      assert.ok(!(await auditOf(id)).includes('update'))
    }
  })

  test('an administrator who becomes an editor offers prompts no more through an application', async () => {
    const { database, tenantId } = service
    const { userId } = await service.user({ email: 'granter@x' })
    const of = { tenantId, userId, origin: service.service.publicUrl }
    const scope = 'knowledge:write knowledge:prompts'
    const wide = await storeOAuthRecords(database, { ...of, scope, withRefreshToken: true })
    const offering = await storeOAuthRecords(database, { ...of, scope: 'knowledge:prompts', withRefreshToken: true })
    assert.deepEqual(await scopesWith(wide.token), ['knowledge:write', 'knowledge:prompts'])
    const foreseen = (await call('GET', `${USERS}/${userId}/access?role=editor`)).body
    const losing = foreseen.narrowed_oauth_clients.map(({ client_id: id }: { client_id: string }) => id)
    assert.deepEqual(losing.sort(), [wide.client, offering.client].sort())

    assert.equal((await call('PATCH', `${USERS}/${userId}`, { role: 'editor' })).status, 200)
    assert.deepEqual(await scopesWith(wide.token), ['knowledge:write'])
    const tokens = await database.queries
      .selectFrom('oauth_records')
      .select(['kind', 'scopes', 'payload', 'grant_id'])
      .where('user_id', '=', userId)
      .where('kind', '!=', 'Grant')
      .orderBy('kind')
      .execute()
    assert.deepEqual(
      tokens.map(({ payload, ...row }) => ({ ...row, scope: JSON.parse(payload).scope })),
      ['AccessToken', 'RefreshToken'].map((of) => ({
        kind: of,
        scopes: 'knowledge:write',
        grant_id: wide.grant,
        scope: 'knowledge:write',
      })),
    )
    assert.deepEqual([await auditOf(wide.grant), await auditOf(offering.grant)], [['update'], ['revoke']])
  })

  test('who may do less keeps of what they issued only what the new role could issue', async () => {
    const { userId, key, browser, feed, robot, second, clients } = await founder('demoted-founder@x')
    const { userId: colleague } = await service.user({ email: 'colleague@x', role: 'reader' })
    const issue = async (order: object) => {
      const { status, body } = await browser.call('POST', '/api/knowledge/api-keys', order)
      assert.equal(status, 201, JSON.stringify(body))
      return body
    }
    const reading = await issue({ name: 'Reading', scopes: ['knowledge:read', 'visibility:internal'] })
    const forColleague = await issue({ name: 'For a colleague', scopes: ['knowledge:read'], user_id: colleague })
    const login = { client_name: 'Login', redirect_uris: ['http://127.0.0.1/cb'], scope: 'knowledge:read' }
    const app = (await call('POST', '/oauth/register', login, feed.key)).body
    const managed = async () => {
      const path = `/oauth/register/${app.client_id}`
      return (await call('GET', path, undefined, app.registration_access_token)).status
    }
    // A change that takes nothing away ends nothing.
    assert.equal((await call('PATCH', `${USERS}/${userId}`, { name: 'Founder' })).status, 200)
    for (const each of [feed, robot, second, reading, forColleague]) assert.equal(await statusWith(each.key), 200)
    assert.equal(await managed(), 200)

    const endingWith = async (query: string) => (await call('GET', `${USERS}/${userId}/access?${query}`)).body
    const ending = await endingWith('role=editor')
    assert.deepEqual([names(ending.narrowed_api_keys), ending.narrowed_oauth_clients], [['demoted-founder@x'], []])
    assert.deepEqual(names(ending.issued_api_keys), ['Feed', 'For a colleague', 'Of the feed', 'Robot'])
    assert.deepEqual([names(ending.oauth_clients), ending.own_api_keys], [['Feeds', 'Own', 'Second'], []])
    for (const same of ['role=admin', 'ceiling=restricted']) {
      const { body } = await call('GET', `${USERS}/${userId}/access?${same}`)
      for (const rows of Object.values(body)) assert.deepEqual(rows, [], same)
    }
    assert.equal((await call('GET', `${USERS}/${userId}/access?role=chief`)).status, 422)

    assert.equal((await call('PATCH', `${USERS}/${userId}`, { role: 'editor' })).status, 200)
    // An administrator's permissions, the right to register applications, and a key in the name of somebody else.
    for (const each of [feed, robot, second, forColleague]) assert.equal(await statusWith(each.key), 401, each.name)
    for (const client of Object.values(clients)) assert.equal(await tokenOf(client), 401)
    assert.deepEqual([await statusWith(reading.key), await statusWith(key)], [200, 200])
    // People still sign in to the application, but its addresses are no longer this person's to change.
    assert.equal(await managed(), 401)
    const left = (await call('GET', `${USERS}/${userId}/access`)).body
    assert.deepEqual([names(left.issued_api_keys), names(left.oauth_clients)], [['Reading'], ['Login']])
    assert.ok((await auditOf(robot.id)).includes('revoke'))
    assert.ok((await auditOf(clients.feeds.client_id)).includes('delete'))
    assert.deepEqual(await auditOf(app.client_id), ['create', 'update'])

    assert.deepEqual(names((await endingWith('ceiling=community')).issued_api_keys), ['Reading'])
    assert.equal((await call('PATCH', `${USERS}/${userId}`, { ceiling: 'community' })).status, 200)
    // As in the change itself, a ceiling that is not named stays.
    assert.deepEqual((await endingWith('role=editor')).issued_api_keys, [])
    assert.equal(await statusWith(reading.key), 401, 'a key that sees more than its issuer')
  })

  test('access that outlasts a stolen session takes the proof that a key of an administrator takes', async () => {
    const { userId } = await service.user({ email: 'proving@x' })
    await givePassword(service.database, service.tenantId, userId, PASSWORD)
    const other = await service.user({ email: 'other-account@x', role: 'editor' })
    const disabled = await service.user({ email: 'disabled-admin@x' })
    await call('PATCH', `${USERS}/${disabled.userId}`, { disabled: true })
    const lower = await service.user({ email: 'lower-admin@x' })
    await call('PATCH', `${USERS}/${lower.userId}`, { ceiling: 'internal' })
    const browser = new Browser(service)
    await browser.signIn('proving@x', PASSWORD)
    const rules = (await call('GET', '/api/knowledge/sign-in-rules')).body
    const invitations = '/api/knowledge/invitations'
    const open = await call('POST', invitations, { email: 'second-admin@x', role: 'admin' })

    const acts: [method: string, path: string, body: object][] = [
      ['POST', invitations, { email: 'new-admin@x', role: 'admin', ceiling: 'public' }],
      ['POST', `${invitations}/${open.body.id}/send`, {}],
      ['PATCH', `${USERS}/${other.userId}`, { role: 'admin' }],
      ['PATCH', `${USERS}/${disabled.userId}`, { disabled: false }],
      ['PATCH', `${USERS}/${lower.userId}`, { ceiling: null }],
      ['POST', `${USERS}/${lower.userId}/password-reset`, {}],
      ['DELETE', `${USERS}/${other.userId}/factors`, {}],
      ['PUT', '/api/knowledge/sign-in-rules', { ...rules, create_users: true, default_role: 'reader' }],
    ]
    const said = ({ status, body }: { status: number; body: { detail?: { loc: string[]; type: string }[] } }) =>
      `${status} ${body?.detail?.[0].loc.join('.')} ${body?.detail?.[0].type}`
    for (const [method, path, body] of acts) {
      const act = (confirmation?: object) => browser.call(method, path, { ...body, confirmation })
      assert.equal(said(await act()), '403 body.confirmation proof_needed', `${method} ${path}`)
      const wrong = await act({ password: 'not that password' })
      assert.equal(said(wrong), '422 body.confirmation.password proof_wrong', `${method} ${path}`)
      const { status, body: answer } = await act({ password: PASSWORD })
      assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    }
    const stored = (await call('GET', '/api/knowledge/sign-in-rules')).body
    assert.deepEqual([stored.default_role, 'confirmation' in stored], ['reader', false])

    // What makes no administrator takes no proof, nor does a key, which was issued with one.
    const changed = { ...rules, create_users: true, default_role: 'reader' }
    for (const [method, path, body] of [
      ['POST', invitations, { email: 'new-editor@x', role: 'editor' }],
      ['PATCH', `${USERS}/${other.userId}`, { role: 'editor' }],
      ['PATCH', `${USERS}/${disabled.userId}`, { name: 'Still an administrator' }],
      ['PUT', '/api/knowledge/sign-in-rules', changed],
    ] as const)
      assert.ok((await browser.call(method, path, body)).status < 300, `${method} ${path}`)
    assert.equal((await call('POST', `${USERS}/${other.userId}/password-reset`)).status, 200)
    assert.equal((await call('DELETE', `${USERS}/${other.userId}/factors`)).status, 204)
    assert.equal((await call('POST', invitations, { email: 'third-admin@x', role: 'admin' })).status, 201)
    assert.equal((await call('PUT', '/api/knowledge/sign-in-rules', rules)).status, 200)
  })

  test('what is handed over by name goes on, and ends with its new holder', async () => {
    const { userId, feed, robot, second, clients } = await founder('leaving-founder@x')
    const heir = await service.user({ email: 'heir@x' })
    const { status, body: left } = await call('POST', `${USERS}/${userId}/access/hand-over`, {
      to_user_id: heir.userId,
      api_keys: [feed.id],
      oauth_clients: [clients.feeds.client_id],
    })
    assert.equal(status, 200)
    // What the feed issued goes with the feed.
    assert.deepEqual(names(left.issued_api_keys), ['Robot'])
    assert.deepEqual(names(left.oauth_clients), ['Own'])
    await call('DELETE', `${USERS}/${userId}`)
    assert.deepEqual([await statusWith(feed.key), await statusWith(second.key)], [200, 200])
    assert.equal(await statusWith(robot.key), 401)
    assert.deepEqual([await tokenOf(clients.feeds), await tokenOf(clients.own)], [200, 401])
    const key = (await call('GET', '/api/knowledge/api-keys')).body.find(({ id }: { id: string }) => id === feed.id)
    assert.deepEqual([key.issuer.kind, key.issuer.user.id], ['hand_over', heir.userId])
    const access = (await call('GET', `${USERS}/${heir.userId}/access`)).body
    assert.deepEqual(names(access.issued_api_keys), ['Feed', 'Of the feed'])
    assert.deepEqual(names(access.oauth_clients), ['Feeds', 'Second'])
    await call('PATCH', `${USERS}/${heir.userId}`, { disabled: true })
    assert.deepEqual([await statusWith(feed.key), await tokenOf(clients.feeds)], [401, 401])
  })

  test('nobody receives a key with more permissions than their own', async () => {
    const { userId, feed } = await founder('wide-founder@x')
    const { userId: lowered } = await service.user({ email: 'lowered-heir@x' })
    await call('PATCH', `${USERS}/${lowered}`, { ceiling: 'community' })
    const { status, body } = await call('POST', `${USERS}/${userId}/access/hand-over`, {
      to_user_id: lowered,
      api_keys: [feed.id],
    })
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'to_user_id']])
    assert.match(body.detail[0].msg, /Feed/)
  })

  test('no administrator gives more than they have, or changes a user who has more', async () => {
    const { userId: chief } = await service.user({ email: 'chief@x' })
    const { userId: reader } = await service.user({ email: 'lowly@x', role: 'reader' })
    const upToInternal = await service.key([
      ...ROLE_SCOPES.admin.filter((s) => !s.startsWith('visibility:')),
      'visibility:internal',
    ])
    const lacking = await service.key(['tenant:admin', 'visibility:restricted'])
    const status = async (path: string, body: object, key: string) =>
      (await call('PATCH', `${USERS}/${path}`, body, key)).status
    assert.equal(await status(reader, { role: 'admin' }, upToInternal), 403)
    assert.equal(await status(reader, { role: 'editor' }, upToInternal), 403)
    assert.equal(await status(chief, { role: 'reader' }, upToInternal), 403)
    assert.equal(await status(chief, { disabled: true }, upToInternal), 403)
    assert.equal((await call('DELETE', `${USERS}/${chief}`, undefined, upToInternal)).status, 403)
    assert.equal((await call('POST', `${USERS}/${chief}/password-reset`, undefined, upToInternal)).status, 403)
    assert.equal(await status(reader, { name: 'Changed' }, lacking), 403)
    assert.equal(await status(reader, { role: 'admin', ceiling: 'internal' }, upToInternal), 200)
    assert.equal((await call('GET', `${USERS}/${chief}`)).body.role, 'admin')
  })

  test('the audit log has each change of a user with the value before, and no change of nothing', async () => {
    const { userId } = await service.user({ email: 'told@x', role: 'reader' })
    const before = (await auditOf(userId)).length
    await call('PATCH', `${USERS}/${userId}`, { role: 'reader', ceiling: null, disabled: false })
    assert.equal((await auditOf(userId)).length, before)
    await call('PATCH', `${USERS}/${userId}`, { role: 'editor', ceiling: 'internal' })
    await call('PATCH', `${USERS}/${userId}`, { disabled: true })
    await call('PATCH', `${USERS}/${userId}`, { name: 'Told Otherwise' })
    const { body } = await call('GET', `/api/knowledge/audit-records?resource_id=${userId}&action=update`)
    assert.deepEqual(
      body.map(({ details }: { details: unknown }) => details),
      [
        null,
        { changes: { disabled: { before: false, after: true } } },
        { changes: { role: { before: 'reader', after: 'editor' }, ceiling: { before: null, after: 'internal' } } },
      ],
    )
  })

  test('an address cannot be an erased person’s pseudonym, contain another address, or equal a user’s in another case', async () => {
    const { userId } = await service.user({ email: 'mark@y', role: 'reader' })
    const invite = (email: string) => call('POST', '/api/knowledge/invitations', { email, role: 'reader' })
    for (const email of [
      `former-user-${userId}@erased.invalid`,
      `former-user-${userId}@ERASED.invalid`,
      'a<b@evil.test',
      'a@evil.test>',
      '"a"@evil.test',
      'a,b@evil.test',
      'a;b@evil.test',
      'list:a@evil.test',
      'a(b)@evil.test',
      'a\u0000b@evil.test',
      'a b@evil.test',
    ]) {
      const { status, body } = await invite(email)
      assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'email']], email)
    }
    const alike = await invite('mar\u212A@y')
    assert.deepEqual([alike.status, alike.body.email], [201, 'mar\u212A@y'])
    assert.equal((await invite('MARK@Y')).status, 409)
    assert.equal((await invite('J\u00D6RG@y')).body.email, 'j\u00F6rg@y')
    assert.equal((await call('DELETE', `${USERS}/${userId}`)).status, 204)
  })

  test('the last active administrator stays, also when two are removed at the same moment', async () => {
    for (const change of [{ disabled: true }, { role: 'reader' }, { ceiling: 'internal' }, null]) {
      const tenant = await service.tenant(`last-${change === null ? 'erased' : Object.keys(change)[0]}`)
      const people = [await service.user({ tenant, email: 'one@x' }), await service.user({ tenant, email: 'two@x' })]
      const keys = [await service.key(ROLE_SCOPES.admin, tenant), await service.key(ROLE_SCOPES.admin, tenant)]
      const answers = await Promise.all(
        people.map(({ userId }, i) =>
          change === null
            ? call('DELETE', `${USERS}/${userId}`, undefined, keys[i])
            : call('PATCH', `${USERS}/${userId}`, change, keys[i]),
        ),
      )
      const done = change === null ? 204 : 200
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [done, 409], tenant)
      const refusal = answers.find(({ status }) => status === 409)!
      assert.match(refusal.body.detail[0].msg, /last active administrator/)
      const field = change === null ? 'user' : Object.keys(change)[0]
      assert.deepEqual(refusal.body.detail[0].loc, ['body', field])
      const left = []
      for (const { id } of (await call('GET', USERS, undefined, keys[0])).body) {
        const { role, disabled, ceiling } = (await call('GET', `${USERS}/${id}`, undefined, keys[0])).body
        if (role === 'admin' && !disabled && ceiling === null) left.push(id)
      }
      assert.equal(left.length, 1)
    }
  })

  test('a key that expires takes access away, and gives none', async () => {
    const { userId } = await service.user({ email: 'waiting@x', role: 'reader' })
    const issued = await call('POST', '/api/knowledge/api-keys', {
      name: 'ending',
      scopes: ROLE_SCOPES.admin,
      expires_at: '2100-01-01T00:00:00Z',
    })
    const change = async (body: object, key = service.adminKey) =>
      (await call('PATCH', `${USERS}/${userId}`, body, key)).status
    assert.equal(await change({ role: 'editor' }, issued.body.key), 403)
    assert.equal(await change({ ceiling: 'public' }, issued.body.key), 200)
    assert.equal(await change({ ceiling: null }, issued.body.key), 403)
    assert.equal(await change({ disabled: true }, issued.body.key), 200)
    assert.equal(await change({ disabled: false }, issued.body.key), 403)
    assert.equal(await change({ disabled: false, ceiling: null, role: 'editor' }), 200)
    assert.equal((await call('POST', `${USERS}/${userId}/password-reset`, undefined, issued.body.key)).status, 403)
  })

  test('users of another tenant do not exist', async () => {
    const elsewhere = await service.tenant('elsewhere')
    const { userId } = await service.user({ tenant: elsewhere, email: 'far@x' })
    for (const [method, path, body] of [
      ['GET', userId, undefined],
      ['PATCH', userId, { name: 'Changed' }],
      ['DELETE', userId, undefined],
      ['POST', `${userId}/password-reset`, undefined],
    ] as const) {
      const { status, body: answer } = await call(method, `${USERS}/${path}`, body)
      assert.deepEqual([status, answer.detail[0].loc], [404, ['path', 'user_id']], method)
    }
  })

  test('erasing a person ends their access, deletes their private notes and leaves a pseudonym', async () => {
    await changeTenant(service.database, service.tenantId, { settings: { workspaces: 'true' } })
    const category = await service.category('Notes')
    const { userId, key } = await service.user({ email: 'gone@x', role: 'editor' })
    await givePassword(service.database, service.tenantId, userId, PASSWORD)
    await storeOAuthRecords(service.database, { tenantId: service.tenantId, userId, origin: service.service.url })
    const browser = new Browser(service)
    await browser.signIn('gone@x', PASSWORD)
    const workspace = (await call('POST', '/api/knowledge/workspaces', { name: 'Team' })).body.id
    await call('POST', `/api/knowledge/workspaces/${workspace}/members`, { user_ids: [userId] })
    const ENTRIES = '/api/knowledge/knowledge-entries'
    const note = (title: string) => ({ title, content: `secret of ${title}`, category_id: category })
    const create = async (path: string, body: object) => (await call('POST', path, body, key)).body.id as string
    const shared = await create(ENTRIES, { ...note('shared'), visibility: 'internal' })
    const notes = []
    // More than one step of the deletion takes.
    for (let i = 0; i < 103; i++) notes.push(await create(`${ENTRIES}/personal`, note(`note ${i}`)))
    await call('PATCH', `${ENTRIES}/${notes[0]}`, { content: 'another secret' }, key)
    assert.equal((await call('DELETE', `${ENTRIES}/${notes[1]}`, undefined, key)).status, 204)
    const published = await create(`${ENTRIES}/personal`, note('draft'))
    await call('PATCH', `${ENTRIES}/${published}`, { content: 'for everybody', visibility: 'internal' }, key)

    assert.equal((await call('DELETE', `${USERS}/${userId}`)).status, 204)
    assert.equal((await call('GET', '/api/session', undefined, key)).status, 401)
    assert.equal((await browser.call('GET', '/api/session')).status, 401)
    assert.equal((await browser.signIn('gone@x', PASSWORD)).status, 401)
    const { queries } = service.database
    for (const table of ['entries', 'binned_entries', 'entry_versions', 'binned_entry_versions'] as const) {
      const { count } = await queries
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('tenant_id', '=', service.tenantId)
        .where('visibility', '=', 'personal')
        .executeTakeFirstOrThrow()
      assert.equal(count, 0, table)
    }
    for (const table of ['user_passwords', 'sessions', 'workspace_members', 'oauth_records'] as const) {
      assert.deepEqual(await queries.selectFrom(table).selectAll().where('user_id', '=', userId).execute(), [], table)
    }
    assert.equal((await call('GET', `${ENTRIES}/${shared}`)).body.created_by_user_id, userId)
    assert.equal((await call('GET', `${ENTRIES}/${published}`)).body.content, 'for everybody')
    const search = await call('POST', `${ENTRIES}/search`, { query: 'secret of note 7', mode: 'keyword' })
    assert.deepEqual(
      search.body.map((hit: { entry: { id: string } }) => hit.entry.id),
      [shared],
    )
    const row = await queries.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
    assert.equal(row.name, `former user ${userId.slice(-8)}`)
    assert.ok(!JSON.stringify(row).includes('gone@x'))
    const keys = (await call('GET', '/api/knowledge/api-keys')).body
    assert.equal(keys.find((each: { user: { id: string } | null }) => each.user?.id === userId).user.name, row.name)
    assert.ok((await auditOf(userId)).includes('erase'))

    assert.equal((await call('GET', `${USERS}/${userId}`)).status, 404)
    assert.equal((await call('PATCH', `${USERS}/${userId}`, { disabled: false })).status, 404)
    assert.equal((await call('DELETE', `${USERS}/${userId}`)).status, 404)
    assert.ok(!(await call('GET', `${USERS}?query=former`)).body.length)
    assert.equal((await call('POST', '/api/knowledge/invitations', { email: 'gone@x', role: 'reader' })).status, 201)
  })
})
