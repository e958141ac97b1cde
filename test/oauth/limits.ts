import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeTenant } from '../../src/tenants/rules.ts'
import type { Answer, Stage } from './stage.ts'

/** What anybody may have written down is bounded by where they are: an IPv4 address, or the /64 of an IPv6 one. */
export function writesBounded(stageOf: () => Stage): void {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const inTurn = async (count: number, send: (i: number) => Promise<Answer>): Promise<number[]> => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) statuses.push((await send(i)).status)
    return statuses
  }

  test('requests to authorize: sixty at once from one address, and a page for whoever sends more', async () => {
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

  test('registrations of clients by themselves: twenty from one address, in words that any page may read', async () => {
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

  test('pages of any origin read why a credential was refused, but where they have nothing to ask', async () => {
    for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
      const body = path.endsWith('register') ? { json: {} } : { form: { token: 'x' } }
      const refused = await stageOf().send('POST', path, { ...body, bearer: 'ks_no_such_key' })
      assert.equal(refused.status, 401, path)
      assert.equal(refused.headers['access-control-allow-origin'], '*', path)
    }
    // What a token is worth is for servers that have a secret.
    const asked = await stageOf().send('POST', '/oauth/introspect', { form: { token: 'x' } })
    assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [401, undefined])
  })
}
