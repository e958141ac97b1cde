import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { request } from 'node:http'
import { hashSecret } from '../../src/platform/random-secret.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Browser } from './browser.ts'
import { until } from '../support/patience.ts'

const PASSWORD = 'correct horse battery'
const OTHER_PASSWORD = 'another horse battery'
const ADMIN_PASSWORD = 'the first password'
const CATEGORIES = '/api/knowledge/categories'
const REFUSED = { detail: [{ loc: ['body'], msg: 'Wrong email address or password', type: 'unauthorized' }] }

onAnyDatabase('signing in', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind, { BOOTSTRAP_ADMIN_PASSWORD: ADMIN_PASSWORD })
  })
  after(() => service.stop())

  const newUser = async (email: string, { password = PASSWORD, tenant = 'default', role = 'editor' } = {}) => {
    const user = await createUser(service.database, tenant, { email, name: 'Somebody', role })
    await givePassword(service.database, tenant, user.id, password)
    return user
  }
  const audited = (action: string, resourceId?: string) =>
    service.database.queries
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', action as 'create')
      .$if(resourceId !== undefined, (query) => query.where('resource_id', '=', resourceId!))
      .execute()

  test('the first user signs in with the password of the start, and may do everything that the role allows', async () => {
    const browser = new Browser(service)
    const answer = await browser.signIn('Admin@localhost', ADMIN_PASSWORD)
    assert.equal(answer.status, 200)
    const cookie = answer.headers.getSetCookie()[0]
    assert.match(cookie, /^ks_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const { user, tenant, scopes } = answer.body
    assert.deepEqual([user.email, user.role], ['admin@localhost', 'admin'])
    assert.deepEqual(tenant, { id: 'default', name: 'Default', language: 'de', foreign_pictures: false })
    assert.ok(scopes.includes('tenant:admin'))
    assert.deepEqual((await browser.call('GET', '/api/session')).body, answer.body)
    assert.equal((await browser.call('POST', CATEGORIES, { name: 'From the console' })).status, 201)
    const { components, paths } = (await browser.call('GET', '/openapi.json')).body
    assert.deepEqual([...browser.cookies.keys()], [components.securitySchemes.session.name, 'ks_device'])
    assert.ok(paths[CATEGORIES].post.security.some((way: object) => 'session' in way))
  })

  test('only the hash of a session is stored, and the sign-in is audited as the user', async () => {
    const user = await newUser('stored@x')
    const browser = new Browser(service)
    await browser.signIn('stored@x', PASSWORD)
    const [secret] = browser.cookies.values()
    const rows = await service.database.queries
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute()
    assert.equal(rows.length, 1)
    assert.equal(rows[0].hash, hashSecret(secret))
    assert.ok(!JSON.stringify(rows).includes(secret))
    assert.equal(rows[0].expires_at - rows[0].created_at, 12 * 3_600_000)
    const [event] = await audited('sign_in', rows[0].id)
    assert.deepEqual(
      [event.user_id, event.credential_id, event.source, event.resource_type],
      [user.id, rows[0].id, 'console', 'session'],
    )
    const [stored] = await service.database.queries
      .selectFrom('user_passwords')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute()
    assert.match(stored.hash, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  })

  test('every failed sign-in is refused in the same words, and audited if the user exists', async () => {
    const wrong = await newUser('wrong@x')
    const disabled = await newUser('disabled@x')
    await changeUser(service.database, 'default', disabled.id, { disabled: true })
    const without = await createUser(service.database, 'default', { email: 'without@x', name: 'W', role: 'reader' })
    const tries = [
      ['nobody@x', PASSWORD],
      ['wrong@x', OTHER_PASSWORD],
      ['disabled@x', PASSWORD],
      ['without@x', PASSWORD],
      ['wrong@x', PASSWORD, 'nowhere'],
    ]
    for (const [email, password, tenant] of tries) {
      const answer = await new Browser(service).signIn(email, password, tenant)
      assert.deepEqual([answer.status, answer.body], [401, REFUSED], email)
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
    for (const { id } of [wrong, disabled, without]) {
      await until(async () => (await audited('sign_in_refused', id)).length > 0, 'the refusal is in the audit log')
      const [{ user_id: userId, credential_id: credentialId }] = await audited('sign_in_refused', id)
      assert.deepEqual([userId, credentialId], [null, null])
    }
  })

  test('a page of another origin can sign no person in or out', async () => {
    await newUser('csrf@x')
    const browser = new Browser(service)
    const body = { email: 'csrf@x', password: PASSWORD }
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      assert.equal((await browser.call('POST', '/api/session', body, headers)).status, 403)
    }
    assert.equal((await service.call('POST', '/api/session', { key: null, body })).status, 403)
    const form = await browser.call('POST', '/api/session', `email=csrf@x&password=${PASSWORD}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    assert.equal(form.status, 415)
    await browser.signIn('csrf@x', PASSWORD)
    assert.equal(
      (await browser.call('DELETE', '/api/session', undefined, { origin: 'https://evil.example' })).status,
      403,
    )
    assert.equal(
      (await browser.call('POST', CATEGORIES, { name: 'A' }, { origin: 'https://evil.example' })).status,
      403,
    )
    assert.equal((await browser.call('GET', '/api/session')).status, 200)
  })

  test('after signing out the cookie no longer works, and signing out twice is fine', async () => {
    await newUser('leaving@x')
    const browser = new Browser(service)
    await browser.signIn('leaving@x', PASSWORD)
    const [cookie] = [...browser.cookies]
    const answer = await browser.call('DELETE', '/api/session')
    assert.equal(answer.status, 204)
    assert.match(answer.headers.getSetCookie()[0], /^ks_session=; .*Max-Age=0$/)
    browser.cookies.set(...cookie)
    assert.equal((await browser.call('GET', '/api/session')).status, 401)
    assert.equal((await browser.call('DELETE', '/api/session')).status, 204)
    assert.equal((await new Browser(service).call('DELETE', '/api/session')).status, 204)
  })

  test('a changed password and a disabled user end all sessions, and enabling the user restores none', async () => {
    const user = await newUser('ending@x')
    const browsers = [new Browser(service), new Browser(service)]
    for (const browser of browsers) await browser.signIn('ending@x', PASSWORD)
    const statuses = async () => {
      const answers = await Promise.all(browsers.map((browser) => browser.call('GET', '/api/session')))
      return answers.map(({ status }) => status)
    }
    assert.deepEqual(await statuses(), [200, 200])
    await givePassword(service.database, 'default', user.id, OTHER_PASSWORD)
    assert.deepEqual(await statuses(), [401, 401])
    assert.equal((await browsers[0].signIn('ending@x', PASSWORD)).status, 401)
    for (const browser of browsers) await browser.signIn('ending@x', OTHER_PASSWORD)
    await changeUser(service.database, 'default', user.id, { disabled: true })
    assert.deepEqual(await statuses(), [401, 401])
    await changeUser(service.database, 'default', user.id, { disabled: false })
    assert.deepEqual(await statuses(), [401, 401])
  })

  test('the password decides the tenant, which has to be named only if several match', async () => {
    for (const id of ['one', 'two', 'three']) await service.tenant(id)
    await newUser('many@x', { tenant: 'one' })
    await newUser('many@x', { tenant: 'two' })
    await newUser('many@x', { tenant: 'three', password: OTHER_PASSWORD })
    const sign = (password: string, tenant?: string) => new Browser(service).signIn('many@x', password, tenant)
    const several = await sign(PASSWORD)
    assert.deepEqual(
      [several.status, several.body.detail[0].loc, several.body.detail[0].type],
      [422, ['body', 'tenant'], 'tenant_needed'],
    )
    assert.equal((await sign(PASSWORD, 'two')).body.tenant.id, 'two')
    assert.equal((await sign(OTHER_PASSWORD)).body.tenant.id, 'three')
    assert.equal((await sign(PASSWORD, 'three')).status, 401)
  })

  test('people sign in to a tenant with its own host only there, and to no other tenant there', async () => {
    await service.tenant('hosted')
    await changeTenant(service.database, 'hosted', { host: 'wissen.example' })
    await newUser('host@x', { tenant: 'hosted' })
    await newUser('shared@x')
    const at = (host: string, email: string, tenant?: string) =>
      signInAt(service, host, { email, password: PASSWORD, tenant })
    assert.equal(await at('wissen.example', 'host@x'), 200)
    assert.equal(await at('wissen.example:8443', 'host@x', 'hosted'), 200)
    assert.equal(await at('localhost', 'host@x'), 401)
    assert.equal(await at('localhost', 'host@x', 'hosted'), 401)
    assert.equal(await at('wissen.example', 'shared@x'), 401)
    assert.equal(await at('wissen.example', 'shared@x', 'default'), 401)
    assert.equal(await at('localhost', 'shared@x'), 200)
  })

  test('a person with too many failed attempts has to wait, others do not', async () => {
    await newUser('guessed@x')
    const guess = () => new Browser(service).signIn('guessed@x', OTHER_PASSWORD)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await guess()).status)
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429])
    const answer = await new Browser(service).signIn('guessed@x', PASSWORD)
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.equal((await new Browser(service).signIn('admin@localhost', ADMIN_PASSWORD)).status, 200)
  })

  test('any client may ask how people can sign in', async () => {
    const answer = await service.call('GET', '/api/session/methods', { key: null })
    assert.deepEqual([answer.status, answer.body], [200, { password: true, provider: null }])
  })

  test('a key can ask which user it belongs to', async () => {
    const key = await service.key(['knowledge:read'])
    assert.deepEqual((await service.call('GET', '/api/session', { key })).body, {
      user: null,
      tenant: { id: 'default', name: 'Default', language: 'de', foreign_pictures: false },
      scopes: ['knowledge:read'],
    })
  })
})

/** Signs in under another host name than the service's real one. */
function signInAt(service: TestService, host: string, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(service.service.url)
    const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' }
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/session', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode!)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
