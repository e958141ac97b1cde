import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { revokeApiKey } from '../../src/identity/api-keys/store.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { assertUntouched } from '../isolation/tables.ts'
import { writeWaits } from '../support/waiting-writes.ts'
import { actAs, Assistant, ITSELF, statusOf } from './assistant.ts'
import { signedIn } from './person.ts'
import { refused } from './refused.ts'
import { pkce, type Stage } from './stage.ts'

/** Declares the tests of API keys in place of clients and their secrets, and of how that ends with the keys. */
export function keyAttacks(stageOf: () => Stage): void {
  const setUp = (email: string) => signedIn(stageOf(), email)

  test('an access token is not an API key: it cannot request or introspect other tokens', async () => {
    const { stage, person } = await setUp('renewing@x')
    const { access_token: token } = await (await Assistant.register(stage)).connect(person)
    const client = await Assistant.register(stage, { registration: ITSELF })
    const answers = [
      await actAs(stage, client, token),
      await stage.send('POST', '/oauth/introspect', { form: { token }, bearer: token }),
      await stage.send('POST', '/oauth/revoke', { form: { token, client_id: client.id }, bearer: token }),
    ]
    for (const { status, json } of answers) assert.deepEqual([status, json.error], [401, 'invalid_client'])
    assert.equal(await statusOf(stage, token), 200)
  })

  test('a wrong client secret is refused even with a valid API key, and the right one is accepted', async () => {
    const { stage, person } = await setUp('beside@x')
    const client = await Assistant.register(stage, { registration: ITSELF })
    const assistant = await Assistant.register(stage)
    const { access_token: token, refresh_token } = await assistant.connect(person)
    const send = (path: string, by: Assistant, fields: Record<string, string>) =>
      stage.send('POST', path, { form: { client_id: by.id, ...fields }, bearer: stage.adminKey })
    const itself = { grant_type: 'client_credentials' }
    const renewing = { grant_type: 'refresh_token', refresh_token }
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const client_secret of ['wrong', client.managementToken, stage.adminKey]) {
        for (const answer of [
          await send('/oauth/token', client, { ...itself, client_secret }),
          await send('/oauth/token', assistant, { ...renewing, client_secret }),
          await send('/oauth/revoke', assistant, { token, client_secret }),
          await send('/oauth/introspect', assistant, { token, client_secret }),
        ]) {
          refused(answer, 'invalid_client', 401)
        }
      }
      // The key's owner is not revealed.
      const form = { token, client_secret: client.secret }
      for (const path of ['/oauth/revoke', '/oauth/introspect']) {
        refused(await stage.send('POST', path, { form, bearer: stage.adminKey }), 'invalid_client', 401)
      }
    })
    const [own, others] = [{ client_secret: client.secret }, { client_secret: assistant.secret }]
    for (const { status, text } of [
      await send('/oauth/token', client, { ...itself, ...own }),
      // A client registered with `none` has a secret, but need not send it.
      await send('/oauth/token', assistant, { ...renewing, ...others }),
      await send('/oauth/introspect', assistant, { token, ...others }),
      await send('/oauth/revoke', assistant, { token, ...others }),
    ]) {
      assert.equal(status, 200, text)
    }
    assert.equal(await statusOf(stage, token), 401)
  })

  test('a client may authenticate in only one way per request', async () => {
    const stage = stageOf()
    const client = await Assistant.register(stage, { registration: ITSELF })
    const basic = (secret: string) => `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`
    const fields: Record<string, Record<string, string>> = {
      '/oauth/token': { grant_type: 'client_credentials' },
      '/oauth/revoke': { token: 'x' },
      '/oauth/introspect': { token: 'x' },
    }
    for (const [path, form] of Object.entries(fields)) {
      for (const [header, client_secret] of [
        [client.secret, client.secret],
        [client.secret, 'wrong'],
        ['wrong', client.secret],
      ]) {
        const headers = { authorization: basic(header) }
        refused(await stage.send('POST', path, { form: { ...form, client_secret }, headers }), 'invalid_request')
      }
      refused(
        await stage.send('POST', path, { form, headers: { authorization: basic('wrong') } }),
        'invalid_client',
        401,
      )
      const one = await stage.send('POST', path, { form, headers: { authorization: basic(client.secret) } })
      assert.equal(one.status, 200, one.text)
    }
  })

  test('tokens that a client gets with a user’s key end with that user, and introspection says so', async () => {
    const { stage, user } = await setUp('vouching@x')
    const owned = { name: 'k', scopes: ROLE_SCOPES.editor, userId: user.id, expiresAt: null }
    const { key } = await issueApiKey(stage.database, 'default', owned)
    const client = await Assistant.register(stage, { registration: ITSELF })
    const { access_token: token } = (await actAs(stage, client, key)).json
    const isActive = async () =>
      (await stage.send('POST', '/oauth/introspect', { form: { token }, bearer: stage.adminKey })).json.active
    assert.deepEqual([await statusOf(stage, token), await isActive()], [200, true])
    await changeUser(stage.database, 'default', user.id, { disabled: true })
    assert.deepEqual([await statusOf(stage, token), await isActive()], [401, false])
  })

  test('tokens that a client got through a key end with the key, and those that a person granted do not', async () => {
    const { stage, person } = await setUp('spoken@x')
    const own = { name: 'k', scopes: ROLE_SCOPES.admin, userId: null, expiresAt: null }
    const { id, key } = await issueApiKey(stage.database, 'default', own)
    const client = await Assistant.register(stage, { registration: ITSELF })
    const { access_token: token } = (await actAs(stage, client, key)).json
    const byItself = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }
    const { access_token: other } = (await client.token(byItself)).json
    const assistant = await Assistant.register(stage)
    const proof = pkce()
    const form = assistant.form(await assistant.code(person, proof), proof)
    const { access_token: granted } = (await stage.send('POST', '/oauth/token', { form, bearer: key })).json
    assert.deepEqual(await Promise.all([token, other, granted].map((each) => statusOf(stage, each))), [200, 200, 200])
    const path = `/api/knowledge/api-keys/${id}`
    assert.equal((await stage.send('DELETE', path, { bearer: stage.adminKey })).status, 204)
    assert.deepEqual(await Promise.all([token, other, granted].map((each) => statusOf(stage, each))), [401, 200, 200])
    const introspection = await stage.send('POST', '/oauth/introspect', { form: { token }, bearer: stage.adminKey })
    assert.deepEqual(introspection.json, { active: false })
  })

  test('a client that authenticates with a key without a user has no user, even if a user’s key registered it', async () => {
    const { stage, user } = await setUp('diarist@x')
    await changeUser(stage.database, 'default', user.id, { role: 'admin' })
    const owned = { name: 'k', scopes: ROLE_SCOPES.admin, userId: user.id, expiresAt: null }
    const { key } = await issueApiKey(stage.database, 'default', owned)
    const client = await Assistant.register(stage, { key, registration: ITSELF })
    const write = (path: string, json: object) => stage.send('POST', `/api/knowledge/${path}`, { json, bearer: key })
    const { id: category_id } = (await write('categories', { name: 'Diaries' })).json
    const note = { type: 'knowledge', title: 'Diary', content: 'Nobody reads this.', category_id }
    const { id } = (await write('knowledge-entries/personal', note)).json
    const read = async (bearer: string) =>
      (await stage.send('GET', `/api/knowledge/knowledge-entries/${id}`, { bearer })).status
    assert.equal(await read(key), 200)

    const keyWithoutUser = await stage.key(['knowledge:read', 'knowledge:personal'])
    const { access_token: token } = (await actAs(stage, client, keyWithoutUser)).json
    assert.deepEqual([await read(keyWithoutUser), await read(token)], [404, 404])
    assert.equal((await stage.send('GET', '/api/session', { bearer: token })).json.user, null)
  })

  test('a token issued through a key lasts no longer than the key, and none is issued while the key is revoked', async () => {
    const stage = stageOf()
    const client = await Assistant.register(stage, { registration: ITSELF })
    const own = { name: 'k', scopes: ROLE_SCOPES.reader, userId: null, expiresAt: Date.now() + 60_000 }
    const { id, key } = await issueApiKey(stage.database, 'default', own)
    const { status, json } = await actAs(stage, client, key)
    assert.equal(status, 200)
    assert.ok(json.expires_in > 50 && json.expires_in <= 60, String(json.expires_in))
    const revoked = Promise.withResolvers<void>()
    const revoking = stage.database.write(async (tx) => {
      assert.ok(await revokeApiKey(tx, 'default', id, Date.now()))
      await revoked.promise
    })
    const asking = actAs(stage, client, key)
    await writeWaits(stage.database)
    revoked.resolve()
    await revoking
    assert.equal((await asking).json.error, 'invalid_client')
  })

  test('a key that expires cannot register clients that act for themselves, now or by a later change, but can register clients that act for people', async () => {
    const stage = stageOf()
    const own = { name: 'k', scopes: ROLE_SCOPES.admin, userId: null, expiresAt: Date.now() + 60_000 }
    const { key } = await issueApiKey(stage.database, 'default', own)
    const json = { client_name: 'Back door', redirect_uris: ['https://app.example/'] }
    const register = (more: object) =>
      stage.send('POST', '/oauth/register', { json: { ...json, ...more }, bearer: key })
    const both = { grant_types: ['authorization_code', 'client_credentials'] }
    for (const types of [ITSELF, both]) refused(await register(types), 'invalid_client_metadata')
    const { status, json: client } = await register({})
    assert.equal(status, 201)
    const bearer = client.registration_access_token
    const changed = await stage.send('PUT', `/oauth/register/${client.client_id}`, {
      json: { ...json, ...both },
      bearer,
    })
    refused(changed, 'invalid_client_metadata')
  })

  test('a client registered with a user’s key ends with that user, and no access token registers a client', async () => {
    const { stage, user, person } = await setUp('registering@x')
    await changeUser(stage.database, 'default', user.id, { role: 'admin' })
    const owned = { name: 'k', scopes: ROLE_SCOPES.admin, userId: user.id, expiresAt: null }
    const { key } = await issueApiKey(stage.database, 'default', owned)
    const client = await Assistant.register(stage, { key, registration: ITSELF })
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }
    const issue = async () => (await stage.send('POST', '/oauth/token', { form })).json.access_token
    const token = await issue()
    assert.equal(await statusOf(stage, token), 200)

    const greedy = await Assistant.register(stage)
    const scope = 'clients:register tenant:admin visibility:internal'
    const proof = pkce()
    const granted = await greedy.exchange(await greedy.code(person, proof, scope.split(' '), { scope }), proof)
    const json = { client_name: 'Back door', redirect_uris: ['https://app.example/'], ...ITSELF }
    const refused = await stage.send('POST', '/oauth/register', { json, bearer: granted.access_token })
    assert.equal(refused.status, 403)
    for (const user_id of [null, user.id]) {
      const backDoor = { json: { name: 'Back door', scopes: ['tenant:admin'], user_id }, bearer: granted.access_token }
      assert.equal((await stage.send('POST', '/api/knowledge/api-keys', backDoor)).status, 403)
    }

    const manage = async (method: string) => {
      const elsewhere = {
        json: { ...json, redirect_uris: ['https://elsewhere.example/'] },
        bearer: client.managementToken,
      }
      return (await stage.send(method, `/oauth/register/${client.id}`, elsewhere)).status
    }
    assert.deepEqual([await manage('GET'), await manage('PUT')], [200, 200])
    await changeUser(stage.database, 'default', user.id, { disabled: true })
    assert.equal(await statusOf(stage, token), 401)
    assert.equal(await statusOf(stage, await issue()), 401)
    for (const method of ['GET', 'PUT', 'DELETE']) assert.equal(await manage(method), 401, method)
  })
}
