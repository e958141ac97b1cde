import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/ids.ts'
import { UNUSED_CLIENTS_MAX } from '../../src/identity/oauth/registration/unused-clients.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import type { Answer, Stage } from './stage.ts'

/** Declares the tests of the limits of anonymous clients' storage per IPv4 address or IPv6 /64. */
export function writesBounded(stageOf: () => Stage): void {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const inTurn = async (count: number, send: (i: number) => Promise<Answer>): Promise<number[]> => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) statuses.push((await send(i)).status)
    return statuses
  }

  test('requests to authorize: sixty at once from one address, and an error page beyond', async () => {
    const stage = stageOf()
    const ask = (address: string, method = 'GET') => stage.send(method, '/oauth/authorize?client_id=x', from(address))
    assert.deepEqual(new Set(await inTurn(60, (i) => ask(`2001:db8:ffff:1::${i.toString(16)}`))), new Set([400]))
    const refused = await ask('2001:db8:ffff:1::ffff')
    assert.equal(refused.status, 429)
    assert.match(String(refused.headers['retry-after']), /^[12]$/)
    assert.match(String(refused.headers['content-type']), /^text\/html/)
    assert.match(refused.text, /Too many requests/)
    const posted = { ...from('2001:db8:ffff:1::2'), form: { client_id: 'x' } }
    assert.equal((await stage.send('POST', '/oauth/authorize', posted)).status, 429)
    assert.equal((await ask('2001:db8:ffff:2::1')).status, 400)
  })

  test('self-registrations of clients: twenty from one address, with a refusal that any page may read', async () => {
    const stage = stageOf()
    await changeTenant(stage.database, 'default', { settings: { oauthRegistration: 'open' } })
    const register = (address: string) =>
      stage.send('POST', '/oauth/register', {
        ...from(address),
        json: { client_name: 'Many', redirect_uris: ['https://many.example/'], token_endpoint_auth_method: 'none' },
      })
    assert.deepEqual(new Set(await inTurn(20, (i) => register(`2001:db8:ffff:3::${i.toString(16)}`))), new Set([201]))
    const refused = await register('2001:db8:ffff:3::ffff')
    assert.equal(refused.status, 429)
    assert.ok(refused.headers['retry-after'])
    assert.equal(refused.headers['access-control-allow-origin'], '*')
    assert.equal((await register('2001:db8:ffff:4::1')).status, 201)
    await changeTenant(stage.database, 'default', { settings: { oauthRegistration: 'key' } })
  })

  test('self-registered clients that no person allowed: ten thousand per tenant, then the oldest are removed', async () => {
    const stage = stageOf()
    const host = 'filled.example'
    await stage.tenant('filled', host)
    await changeTenant(stage.database, 'filled', { settings: { oauthRegistration: 'open' } })
    const json = { client_name: 'Many', redirect_uris: ['https://many.example/'], token_endpoint_auth_method: 'none' }
    const register = async (bearer?: string) => {
      const sent = { ...from('2001:db8:ffff:5::1'), json, host, bearer }
      const { status, json: client, text } = await stage.send('POST', '/oauth/register', sent)
      assert.equal(status, 201, text)
      return client.client_id as string
    }
    const key = await stage.key(['clients:register'], 'filled')
    // The oldest clients of all: one was registered with a key, one was allowed by a person, and one by no person.
    const [keyed, used, oldest] = [await register(key), await register(), await register()]
    const { queries } = stage.database
    const clients = () => queries.selectFrom('oauth_clients').where('tenant_id', '=', 'filled')
    const change = queries.updateTable('oauth_clients').set({ last_used_at: Date.now() })
    await change.where('id', '=', used).execute()
    const row = await clients().selectAll().where('id', '=', oldest).executeTakeFirstOrThrow()
    for (let i = 1; i < UNUSED_CLIENTS_MAX; i += 500) {
      const length = Math.min(500, UNUSED_CLIENTS_MAX - i)
      const rows = Array.from({ length }, () => ({ ...row, id: newId() }))
      await queries.insertInto('oauth_clients').values(rows).execute()
    }
    const count = async () => (await clients().select('id').execute()).length
    assert.equal(await count(), UNUSED_CLIENTS_MAX + 2)
    const latest = await register()
    assert.equal(await count(), UNUSED_CLIENTS_MAX + 2)
    const remaining = await clients().select('id').where('id', 'in', [keyed, used, oldest, latest]).execute()
    assert.deepEqual(remaining.map(({ id }) => id).toSorted(), [keyed, used, latest].toSorted())
    const events = queries.selectFrom('audit_log').select('action').where('resource_id', '=', oldest)
    assert.deepEqual(
      (await events.orderBy('id').execute()).map(({ action }) => action),
      ['create', 'delete'],
    )
    // Too many at once, as after a lower bound, are removed a few at a time.
    const more = Array.from({ length: 30 }, () => ({ ...row, id: newId() }))
    await queries.insertInto('oauth_clients').values(more).execute()
    await register()
    assert.equal(await count(), UNUSED_CLIENTS_MAX + 2 + 30 + 1 - 10)
  })

  test('pages of any origin may read why a credential was refused, except on routes that are not for pages', async () => {
    for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
      const body = path.endsWith('register') ? { json: {} } : { form: { token: 'x' } }
      const refused = await stageOf().send('POST', path, { ...body, bearer: 'ks_no_such_key' })
      assert.equal(refused.status, 401, path)
      assert.equal(refused.headers['access-control-allow-origin'], '*', path)
    }
    // Introspection is for servers that have a secret.
    const introspection = await stageOf().send('POST', '/oauth/introspect', { form: { token: 'x' } })
    assert.deepEqual([introspection.status, introspection.headers['access-control-allow-origin']], [401, undefined])
  })
}
