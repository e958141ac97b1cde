import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Database } from '../../src/platform/database/database.ts'
import type { OAuthClientRow } from '../../src/platform/database/tables.ts'
import type { PendingSignIn } from '../../src/identity/sessions/provider-client.ts'
import type { ProviderClient } from '../../src/identity/sessions/provider-client.ts'
import { ProviderRules } from '../../src/identity/sessions/provider-rules.ts'
import { GroupMembers } from '../../src/identity/sign-in-rules/members.ts'
import { Passwords } from '../../src/identity/sessions/passwords.ts'
import { SessionRules, type SessionRulesOptions } from '../../src/identity/sessions/rules.ts'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { NO_TENANT } from '../../src/identity/tenants/realm.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { CHEAPEST, givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Browser } from './browser.ts'

const PASSWORD = 'correct horse battery'
const HOUR = 3_600_000
const GRANT = {
  tenant_id: 'default',
  kind: 'Grant',
  hash: 'grant',
  payload: '{}',
  uid: null,
  grant_id: 'grant',
  client_id: null,
  user_id: null,
  scopes: '',
  audience: null,
  consumed_at: null,
}

onAnyDatabase('the life of a session', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const newUser = async (email: string) => {
    const user = await createUser(service.database, 'default', { email, name: 'Somebody', role: 'reader' })
    await givePassword(service.database, 'default', user.id, PASSWORD)
    return user
  }
  const sessionsOf = (userId: string) =>
    service.database.queries.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()

  const sessionRules = (options: Partial<SessionRulesOptions>) =>
    new SessionRules({
      database: service.database,
      publicUrl: () => service.service.publicUrl,
      onError: assert.ifError,
      passwords: new Passwords(CHEAPEST),
      ...options,
    })

  /** Returns the database, whose queries fail while `isAway` returns true. */
  const awayWhen = (isAway: () => boolean): Database =>
    new Proxy(service.database, {
      get(target, name) {
        if (name === 'queries' && isAway()) throw new Error('away')
        return Reflect.get(target, name, target) as unknown
      },
    })

  test('an expired session is refused, and deleted by the next sweep', async () => {
    const [early, late] = [await newUser('early@x'), await newUser('late@x')]
    const signIn = async (email: string, now: number) => {
      const rules = sessionRules({ now: () => now })
      const { secret } = await rules.signIn({ email, password: PASSWORD }, { host: 'localhost', address: 'a' })
      await rules.close()
      const browser = new Browser(service)
      browser.cookies.set('ks_session', secret)
      return (await browser.call('GET', '/api/session')).status
    }
    const now = Date.now()
    assert.equal(await signIn('early@x', now - 13 * HOUR), 401)
    assert.equal(await signIn('late@x', now - 11 * HOUR), 200)
    assert.equal(await signIn('late@x', now), 200)
    await startSweeper(service.database, assert.ifError).sweep(now)
    assert.deepEqual([(await sessionsOf(early.id)).length, (await sessionsOf(late.id)).length], [0, 2])
  })

  test('clients unused for 30 days are deleted, each audited in its tenant; those with a grant stay', async () => {
    const { queries } = service.database
    const now = Date.now()
    const old = now - 31 * 24 * HOUR
    const client = (id: string, tenant: string, change: Partial<OAuthClientRow> = {}): OAuthClientRow => ({
      tenant_id: tenant,
      id,
      registration: 'open',
      metadata: '{}',
      secret_hash: null,
      management_hash: null,
      scopes_max: '',
      user_id: null,
      key_id: null,
      created_at: old,
      last_used_at: null,
      ...change,
    })
    const rows = [
      client('unused', 'default'),
      client('of-nobody-yet', NO_TENANT),
      client('used', 'default', { last_used_at: now - HOUR }),
      client('with-key', 'default', { registration: 'key' }),
      client('granted', 'default'),
      // More than one write removes.
      ...Array.from({ length: 501 }, (_, i) => client(`unused-${i}`, 'default')),
    ]
    await queries.insertInto('oauth_clients').values(rows).execute()
    await queries
      .insertInto('oauth_records')
      .values({ ...GRANT, client_id: 'granted', created_at: old, expires_at: now + HOUR })
      .execute()
    await startSweeper(service.database, assert.ifError).sweep(now)
    const left = await queries.selectFrom('oauth_clients').select('id').orderBy('id').execute()
    assert.deepEqual(
      left.map(({ id }) => id),
      ['granted', 'used', 'with-key'],
    )
    const audited = queries.selectFrom('audit_log').where('resource_type', '=', 'oauth_client')
    const events = await audited
      .select(['tenant_id', 'resource_id', 'action', 'source', 'user_id', 'credential_id'])
      .execute()
    assert.equal(events.length, 502)
    assert.deepEqual(
      events.find(({ resource_id: id }) => id === 'unused'),
      {
        tenant_id: 'default',
        resource_id: 'unused',
        action: 'delete',
        source: 'oauth',
        user_id: null,
        credential_id: null,
      },
    )
    assert.equal(new Set(events.map(({ resource_id: id }) => id)).size, 502)
    assert.ok(events.every(({ tenant_id: tenant }) => tenant === 'default'))
  })

  test('a password hash of lower cost is renewed at the next sign-in, and nothing else changes', async () => {
    const user = await newUser('old@x')
    const nonce = Buffer.alloc(16, 7)
    const cost = { parallelism: 1, tagLength: 32, memory: 4_096, passes: 1 }
    const parts = [nonce, argon2Sync('argon2id', { message: PASSWORD, nonce, ...cost })]
    const [salt, hash] = parts.map((bytes) => bytes.toString('base64').replaceAll('=', ''))
    const weak = { hash: `$argon2id$v=19$m=4096,t=1,p=1$${salt}$${hash}` }
    const passwords = () =>
      service.database.queries.selectFrom('user_passwords').selectAll().where('user_id', '=', user.id)
    await service.database.queries.updateTable('user_passwords').set(weak).where('user_id', '=', user.id).execute()
    const before = await passwords().executeTakeFirstOrThrow()
    const rules = sessionRules({ passwords: new Passwords() })
    const signIn = (address: string) =>
      rules.signIn({ email: 'old@x', password: PASSWORD }, { host: 'localhost', address })
    const opened = await Promise.all([signIn('192.0.2.1'), signIn('192.0.2.2')])
    assert.ok(opened.every((each) => 'session' in each))
    const now = await passwords().executeTakeFirstOrThrow()
    assert.match(now.hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(now.changed_at, before.changed_at)
    assert.equal((await new Browser(service).signIn('old@x', PASSWORD)).status, 200)
  })

  test('guessing at an account from many addresses does not fill the audit log', async () => {
    const user = await newUser('guessed@x')
    const rules = sessionRules({ now: () => 1_000_000 })
    const guess = (i: number) =>
      rules.signIn({ email: 'guessed@x', password: 'another horse' }, { host: 'localhost', address: `192.0.2.${i}` })
    for (let i = 0; i < 13; i++) await assert.rejects(guess(i), { kind: 'unauthorized' })
    await rules.close()
    const { queries } = service.database
    const refusals = queries.selectFrom('audit_log').select('id').where('action', '=', 'sign_in_refused')
    assert.equal((await refusals.where('resource_id', '=', user.id).execute()).length, 10)
  })

  test('a database outage does not count as a wrong password, however often a person tries', async () => {
    let isAway = true
    const database = awayWhen(() => isAway)
    const rules = sessionRules({ database, now: () => 1_000_000 })
    await newUser('patient@x')
    const signIn = () =>
      rules.signIn({ email: 'patient@x', password: PASSWORD }, { host: 'localhost', address: '192.0.2.1' })
    for (let i = 0; i < 11; i++) await assert.rejects(signIn(), /away/)
    isAway = false
    const signedIn = await signIn()
    assert.ok('session' in signedIn)
    assert.equal(signedIn.session.user?.email, 'patient@x')
    await rules.close()
  })

  test('a database outage is not blamed on the external provider', async () => {
    let isAway = false
    const database = awayWhen(() => isAway)
    const identity = {
      issuer: 'https://provider.example',
      subject: 'somebody',
      verifiedEmail: async () => {
        isAway = true
        return 'somebody@x'
      },
    }
    const options = { database, publicUrl: () => service.service.publicUrl, onError: assert.ifError }
    const client = { identity: async () => identity } as unknown as ProviderClient
    const members = new GroupMembers(database)
    const sessions = sessionRules({ database })
    const rules = new ProviderRules({ ...options, client, members, sessions, sealIdToken: () => null })
    const pending = { tenant: null } as PendingSignIn
    await assert.rejects(rules.finish({ host: 'localhost', address: '192.0.2.1' }, '', pending), /away/)
  })

  test('a sign-in with the old password fails if the password changes meanwhile', async () => {
    const user = await newUser('racing@x')
    let password = PASSWORD
    for (let i = 0; i < 4; i++) {
      const next = `${PASSWORD} ${i}`
      const browser = new Browser(service)
      const [answer] = await Promise.all([
        browser.signIn('racing@x', password),
        givePassword(service.database, 'default', user.id, next),
      ])
      assert.ok([200, 401].includes(answer.status))
      assert.equal((await browser.call('GET', '/api/session')).status, 401)
      password = next
    }
    assert.deepEqual(await sessionsOf(user.id), [])
  })
})
