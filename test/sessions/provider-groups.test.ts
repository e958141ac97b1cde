import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Browser } from './browser.ts'
import { CLIENT, OutsideProvider } from './outside-provider.ts'
import { START, walk } from './provider-walk.ts'

const RULES = '/api/knowledge/sign-in-rules'
const HOME = '/console'
const UNKNOWN = '/console/sign-in?fault=provider_unknown_user&return_to=%2Fconsole'
const FAILED = '/console/sign-in?fault=provider_failed&return_to=%2Fconsole'
const TENANT_NEEDED = '/console/sign-in?fault=tenant_needed&return_to=%2Fconsole'
const PASSWORD = 'a long enough password'

const closed = {
  create_users: false,
  link_by_email: true,
  groups_claim: 'groups',
  groups: [],
  default_role: null,
  session_hours: 12,
}
const group = (name: string, role: string, ceiling: string | null = null) => ({ group: name, role, ceiling })
const table = [group('staff', 'reader'), group('writers', 'editor'), group('chiefs', 'admin')]

onAnyDatabase('people of a company account', (kind) => {
  let outside: OutsideProvider
  let service: TestService
  /** Each person comes from another address, which has a limit of its own. */
  let addresses = 0

  before(async () => {
    outside = await OutsideProvider.start()
    service = await TestService.start(kind, {
      SIGN_IN_ISSUER: outside.issuer,
      SIGN_IN_CLIENT_ID: CLIENT.id,
      SIGN_IN_CLIENT_SECRET: CLIENT.secret,
      SIGN_IN_SCOPES: 'openid email groups',
      TRUST_PROXY: 'true',
    })
    outside.open([`${service.service.publicUrl}/sign-in/provider/callback`])
  })
  beforeEach(() => rules({}))
  after(async () => {
    await service.stop()
    await outside.stop()
  })

  const rules = async (change: object): Promise<void> => {
    const { status, body } = await service.call('PUT', RULES, { body: { ...closed, ...change } })
    assert.equal(status, 200, JSON.stringify(body))
  }
  /** Signs a person in. Returns where the browser ends up, and what it is told about the caller. */
  const signIn = async (subject: string, claims: object = {}, start = START) => {
    outside.subject = subject
    outside.accounts.set(subject, { email: `${subject}@x`, email_verified: true, ...claims })
    const browser = new Browser(service)
    addresses += 1
    browser.proxied = { 'x-forwarded-for': `192.0.2.${addresses}` }
    const end = await walk(service, browser, start)
    return { end, browser, session: (await browser.call('GET', '/api/session')).body }
  }
  const userOf = (email: string) =>
    service.database.queries.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

  test('become users only when the tenant says so, with the role and ceiling of their groups', async () => {
    assert.equal((await signIn('early', { groups: ['staff'] })).end, UNKNOWN)
    await rules({ create_users: true, groups: [...table, group('guests', 'reader', 'community')] })
    assert.equal((await signIn('stranger', { groups: ['other'] })).end, UNKNOWN)
    assert.equal(await userOf('stranger@x'), undefined)
    const ann = await signIn('ann', { groups: ['staff', 'writers'], name: 'Ann\u0007 Other' })
    assert.equal(ann.end, HOME)
    assert.deepEqual([ann.session.user.role, ann.session.user.name], ['editor', 'Ann  Other'])
    const guest = await signIn('guest', { groups: 'guests' })
    assert.equal(guest.session.user.role, 'reader')
    const levels = guest.session.scopes.filter((scope: string) => scope.startsWith('visibility:'))
    assert.deepEqual(levels, ['visibility:public', 'visibility:community'])
    // The list of scopes is not only told: an entry above the ceiling is not there.
    const category = await service.category()
    const entry = { title: 'Inside', content: 'Inside', category_id: category, visibility: 'internal' }
    const { body } = await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry })
    const path = `/api/knowledge/knowledge-entries/${body.id}`
    assert.equal((await guest.browser.call('GET', path)).status, 404)
    assert.equal((await ann.browser.call('GET', path)).status, 200)
    const [record] = (await service.call('GET', `/api/knowledge/audit-records?resource_type=user&action=create`)).body
    assert.deepEqual([record.source, record.resource_id], ['service', guest.session.user.id])
  })

  test('follow their groups at every sign-in, up and down, and out when they leave all of them', async () => {
    await rules({ create_users: true, groups: table })
    await signIn('bob', { groups: ['staff'] })
    const up = await signIn('bob', { groups: ['chiefs'] })
    assert.equal(up.session.user.role, 'admin')
    const down = await signIn('bob', { groups: ['staff'] })
    assert.equal(down.session.user.role, 'reader')
    assert.equal((await up.browser.call('GET', RULES)).status, 403, 'the earlier session has the role of today')
    const userId = down.session.user.id
    await storeOAuthRecords(service.database, { tenantId: 'default', userId, origin: service.service.url })
    const granted = () =>
      service.database.queries.selectFrom('oauth_records').select('kind').where('user_id', '=', userId).execute()
    assert.notEqual((await granted()).length, 0)
    const gone = await signIn('bob', { groups: [] })
    assert.deepEqual(await granted(), [])
    assert.equal(gone.end, UNKNOWN)
    for (const { browser } of [up, down]) assert.equal((await browser.call('GET', '/api/session')).status, 401)
    assert.notEqual((await userOf('bob@x'))!.disabled_at, null)
    const back = await signIn('bob', { groups: ['writers'] })
    assert.deepEqual([back.end, back.session.user.role], [HOME, 'editor'])
    const visit = await signIn('bob', { groups: ['writers'] })
    assert.equal(visit.session.user.id, back.session.user.id)
  })

  test('lose what they issued with the groups that let them issue it', async () => {
    await rules({ create_users: true, groups: table })
    const chief = async (subject: string) => {
      const { browser, session } = await signIn(subject, { groups: ['chiefs'] })
      assert.equal(session.user.role, 'admin')
      const issue = async (name: string, scopes: readonly string[]): Promise<{ id: string; key: string }> => {
        const { status, body } = await browser.call('POST', '/api/knowledge/api-keys', { name, scopes })
        assert.equal(status, 201, JSON.stringify(body))
        return body
      }
      return { reads: await issue('Reads', ['knowledge:read']), rules: await issue('Rules', ['tenant:admin']) }
    }
    const statusOf = async ({ key }: { key: string }) => (await service.call('GET', '/api/session', { key })).status
    const sourcesOfEnd = async ({ id }: { id: string }) => {
      const { queries } = service.database
      const ends = queries.selectFrom('audit_log').select('source').where('action', '=', 'revoke')
      return (await ends.where('resource_id', '=', id).execute()).map(({ source }) => source)
    }

    const lowered = await chief('lowered')
    await signIn('lowered', { groups: ['staff'] })
    assert.deepEqual([await statusOf(lowered.reads), await statusOf(lowered.rules)], [200, 401])
    assert.deepEqual([await sourcesOfEnd(lowered.reads), await sourcesOfEnd(lowered.rules)], [[], ['service']])

    const gone = await chief('gone')
    assert.equal((await signIn('gone', { groups: [] })).end, UNKNOWN)
    assert.deepEqual([await statusOf(gone.reads), await statusOf(gone.rules)], [401, 401])
    assert.deepEqual(await sourcesOfEnd(gone.reads), ['service'])
    assert.equal((await signIn('gone', { groups: ['staff'] })).end, HOME)
    assert.equal(await statusOf(gone.reads), 401, 'coming back brings back no key')
  })

  test('stay out when an administrator disabled them, whatever their groups', async () => {
    await rules({ create_users: true, groups: table })
    await signIn('eve', { groups: ['staff'] })
    const { id } = (await userOf('eve@x'))!
    await changeUser(service.database, 'default', id, { disabled: true })
    assert.equal((await signIn('eve', { groups: ['chiefs'] })).end, UNKNOWN)
    // Whom the groups disabled, an administrator may disable too.
    await changeUser(service.database, 'default', id, { disabled: false })
    await signIn('eve', { groups: [] })
    await changeUser(service.database, 'default', id, { disabled: true })
    assert.equal((await signIn('eve', { groups: ['staff'] })).end, UNKNOWN)
  })

  test('are not linked to a local account without the tenant’s leave and a verified address', async () => {
    const { id } = await createUser(service.database, 'default', { email: 'local@x', name: 'Local', role: 'admin' })
    await rules({ create_users: true, groups: table, link_by_email: false })
    assert.equal((await signIn('thief', { email: 'local@x', groups: ['staff'] })).end, UNKNOWN)
    await rules({ create_users: true, groups: table })
    const unverified = { email: 'local@x', email_verified: false, groups: ['staff'] }
    assert.equal((await signIn('thief', unverified)).end, UNKNOWN)
    assert.equal((await signIn('no-mail', { email: 'new@x', email_verified: false, groups: ['staff'] })).end, UNKNOWN)
    const rightful = await signIn('rightful', { email: 'local@x', groups: ['writers'] })
    assert.equal(rightful.session.user.id, id)
    // The provider gives the address to another account.
    const { end } = await signIn('successor', { email: 'local@x', groups: ['chiefs'] })
    assert.equal(end, UNKNOWN)
    assert.equal((await userOf('local@x'))!.role, 'editor')
  })

  test('have their groups read from the ID token and the user info, however many there are', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `group ${i}`)
    await rules({ create_users: true, groups: table, groups_claim: 'realm_access.roles' })
    const person = await signIn('asked', { realm_access: { roles: [...many, 'writers'] } })
    assert.equal(person.session.user.role, 'editor')
    assert.equal((await signIn('elsewhere', { groups: ['writers'] })).end, UNKNOWN)
    outside.conform = false
    outside.open([`${service.service.publicUrl}/sign-in/provider/callback`])
    const told = await signIn('told', { realm_access: { roles: 'chiefs' } })
    assert.equal(told.session.user.role, 'admin')
  })

  test('are not locked out when the provider keeps their many groups elsewhere', async () => {
    await rules({ create_users: true, groups: table })
    const first = await signIn('many', { groups: ['writers'] })
    assert.equal((await signIn('many', { _claim_names: { groups: 'src1' } })).end, FAILED)
    assert.equal((await first.browser.call('GET', '/api/session')).status, 200)
  })

  test('sign in again when the hours that the tenant allows are over', async () => {
    await rules({ create_users: true, default_role: 'reader', session_hours: 2 })
    const { session } = await signIn('short')
    assert.equal(session.user.role, 'reader')
    const row = await service.database.queries
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', session.user.id)
      .executeTakeFirstOrThrow()
    assert.equal(row.expires_at - row.created_at, 2 * 3_600_000)
  })

  test('as the last administrator stay one, and leave no tenant without', async () => {
    await service.tenant('lone')
    const wish = { email: 'boss@x', name: 'Boss', role: 'admin' }
    const { id } = await createUser(service.database, 'lone', wish)
    await givePassword(service.database, 'lone', id, PASSWORD)
    const boss = new Browser(service)
    assert.equal((await boss.signIn('boss@x', PASSWORD, 'lone')).status, 200)
    const confirmation = { password: PASSWORD }
    const body = { ...closed, link_proof: false, groups: table, confirmation }
    assert.equal((await boss.call('PUT', RULES, body)).status, 200)
    const lower = await signIn('boss', { groups: ['staff'] }, `${START}?tenant=lone`)
    assert.equal(lower.session.user.role, 'admin')
    assert.equal((await signIn('boss', { groups: [] }, `${START}?tenant=lone`)).end, UNKNOWN)
    assert.equal((await lower.browser.call('GET', '/api/session')).status, 401)
    assert.deepEqual([(await userOf('boss@x'))!.role, (await userOf('boss@x'))!.disabled_at], ['admin', null])
    // The last administrator does not get a ceiling either that no user could raise again.
    await createUser(service.database, 'lone', { email: 'low@x', name: 'Low', role: 'admin', ceiling: 'internal' })
    assert.equal((await boss.signIn('boss@x', PASSWORD, 'lone')).status, 200)
    const capped = { ...closed, link_proof: false, groups: [group('staff', 'admin', 'internal')], confirmation }
    assert.equal((await boss.call('PUT', RULES, capped)).status, 200)
    assert.equal((await signIn('boss', { groups: ['staff'] }, `${START}?tenant=lone`)).end, HOME)
    assert.equal((await userOf('boss@x'))!.ceiling, null)
  })

  test('neither join a suspended tenant nor change in it', async () => {
    await service.tenant('resting')
    const { key } = await service.user({ tenant: 'resting', email: 'boss@resting' })
    const body = { ...closed, create_users: true, groups: table }
    assert.equal((await service.call('PUT', RULES, { key, body })).status, 200)
    const start = `${START}?tenant=resting`
    assert.equal((await signIn('sleeper', { groups: ['staff'] }, start)).end, HOME)
    const pause = (at: number | null) =>
      service.database.queries
        .updateTable('tenants')
        .set({ suspended_at: at })
        .where('tenant_id', '=', 'resting')
        .execute()
    await pause(1)
    assert.equal((await signIn('sleeper', { groups: ['chiefs'] }, start)).end, UNKNOWN)
    assert.equal((await signIn('sleeper', { groups: [] }, start)).end, UNKNOWN)
    const { role, disabled_at: at } = (await userOf('sleeper@x'))!
    assert.deepEqual([role, at], ['reader', null])
    assert.equal((await signIn('late', { groups: ['staff'] }, start)).end, UNKNOWN)
    assert.equal(await userOf('late@x'), undefined)
    await pause(null)
    assert.equal((await signIn('late', { groups: ['staff'] }, start)).end, HOME)
  })

  test('name the tenant where several could take them, and join no other', async () => {
    await rules({ create_users: true, default_role: 'reader' })
    await service.tenant('second')
    assert.equal((await signIn('somewhere')).end, TENANT_NEEDED)
    assert.equal((await signIn('somewhere', {}, `${START}?tenant=second`)).end, UNKNOWN)
    const { session } = await signIn('somewhere', {}, `${START}?tenant=default`)
    assert.equal(session.tenant.id, 'default')
  })
})
