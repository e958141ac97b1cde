import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ROLE_SCOPES } from '../../src/access/scopes.ts'
import * as clientStore from '../../src/oauth/client-store.ts'
import * as store from '../../src/oauth/store.ts'
import { hashSecret } from '../../src/tenants/credential.ts'
import { revokeApiKey } from '../../src/tenants/store.ts'
import { changeUser, issueApiKey } from '../../src/tenants/rules.ts'
import { Assistant, statusOf } from './assistant.ts'
import { Person } from './person.ts'
import { pkce, type Stage } from './stage.ts'

const ITSELF = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_post' }

/** What is ended stays ended, whatever happens at the same moment, and nothing outlives what it came from. */
export function endingAttacks(stageOf: () => Stage): void {
  const setUp = async (email: string) => {
    const stage = stageOf()
    const user = await stage.user(email)
    const person = new Person(stage)
    await person.signIn(email)
    return { stage, user, person }
  }
  const actAs = (stage: Stage, client: Assistant, bearer: string) =>
    stage.send('POST', '/oauth/token', { form: { grant_type: 'client_credentials', client_id: client.id }, bearer })

  test('a token is no API key: it gets no other token, and asks after none', async () => {
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

  test("what a client is given by somebody's key ends with that person, and introspection says so", async () => {
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

  test('what a client is given because a key speaks for it ends with the key, and what a person granted does not', async () => {
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
    const asked = await stage.send('POST', '/oauth/introspect', { form: { token }, bearer: stage.adminKey })
    assert.deepEqual(asked.json, { active: false })
  })

  test('a token that a key gets lasts no longer than the key, and none is issued while the key is revoked', async () => {
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
    await sleep(200)
    revoked.resolve()
    await revoking
    assert.equal((await asking).json.error, 'invalid_client')
  })

  test("a client that somebody's key registered ends with that person, and no token registers one", async () => {
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
    assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_client_metadata'])
    const ownerless = { json: { name: 'Back door', scopes: ['tenant:admin'] }, bearer: granted.access_token }
    assert.equal((await stage.send('POST', '/api/knowledge/api-keys', ownerless)).status, 403)

    await changeUser(stage.database, 'default', user.id, { disabled: true })
    assert.equal(await statusOf(stage, token), 401)
    assert.equal(await statusOf(stage, await issue()), 401)
  })

  test('who registers for the highest ceiling is granted the one a person has', async () => {
    const { stage, person } = await setUp('narrowed@x')
    const registration = { scope: 'knowledge:read visibility:restricted' }
    const assistant = await Assistant.register(stage, { registration })
    const proof = pkce()
    const asked = { scope: registration.scope }
    const own = ['knowledge:read', 'visibility:workspace']
    const granted = await assistant.exchange(await assistant.code(person, proof, own, asked), proof)
    assert.equal(granted.scope, own.join(' '))
    // They may also give less than they have, and no more.
    const again = pkce()
    const less = ['knowledge:read', 'visibility:internal']
    const lower = await assistant.exchange(await assistant.code(person, again, less, asked), again)
    assert.equal(lower.scope, less.join(' '))
    const { page } = await person.ask(assistant.query(pkce(), asked))
    const more = await person.consent(await person.goOn(page!), ['knowledge:read', 'visibility:restricted'])
    assert.equal(more.status, 422)
  })

  test('introspection names of a token what its user may today', async () => {
    const { stage, user, person } = await setUp('lowered@x')
    const { access_token: token } = await (await Assistant.register(stage)).connect(person)
    await changeUser(stage.database, 'default', user.id, { role: 'reader' })
    const { json } = await stage.send('POST', '/oauth/introspect', { form: { token }, bearer: stage.adminKey })
    assert.equal(json.scope, 'knowledge:read visibility:internal')
  })

  test('a token that is being issued while its grant is revoked dies with it', async () => {
    const { stage, person } = await setUp('crossing@x')
    const assistant = await Assistant.register(stage)
    await assistant.connect(person)
    const grant = (await store.listGrants(stage.database.queries, 'default', {}, Date.now())).find(
      ({ client_id: id }) => id === assistant.id,
    )!
    const token = 'T'.repeat(43)
    const issued = Promise.withResolvers<void>()
    const revoked = Promise.withResolvers<void>()
    const end = Date.now() + 60_000
    const issuing = stage.database.write(async (tx) => {
      const row = { ...grant, kind: 'AccessToken', hash: hashSecret(token), expires_at: end }
      await store.putRecord(tx, { ...row, audience: 'https://knowledge.example/mcp' })
      assert.ok(await store.extendGrant(tx, 'default', grant.grant_id!, end))
      issued.resolve()
      await revoked.promise
    })
    await issued.promise
    const path = `/api/knowledge/oauth-grants/${grant.grant_id}`
    const revoking = stage.send('DELETE', path, { bearer: stage.adminKey })
    await sleep(200)
    revoked.resolve()
    await issuing
    assert.equal((await revoking).status, 204)
    assert.equal(await statusOf(stage, token), 401)
  })

  test('a client that is removed while it is given a token has none afterwards', async () => {
    const stage = stageOf()
    const client = await Assistant.register(stage, { registration: ITSELF })
    const removed = Promise.withResolvers<void>()
    const removing = stage.database.write(async (tx) => {
      assert.ok(await clientStore.deleteClient(tx, 'default', client.id))
      await removed.promise
    })
    const asking = actAs(stage, client, stage.adminKey)
    await sleep(200)
    removed.resolve()
    await removing
    assert.equal((await asking).json.error, 'invalid_client')
  })

  test('a client that is removed while somebody consents is given nothing', async () => {
    const { stage, person } = await setUp('consenting@x')
    const assistant = await Assistant.register(stage)
    const page = await person.goOn((await person.ask(assistant.query(pkce()))).page!)
    const removed = Promise.withResolvers<void>()
    const removing = stage.database.write(async (tx) => {
      assert.ok(await clientStore.deleteClient(tx, 'default', assistant.id))
      await removed.promise
    })
    const consenting = person.consent(page, ['knowledge:read'])
    await sleep(200)
    removed.resolve()
    await removing
    assert.equal((await consenting).status, 404)
    const grants = await store.listGrants(stage.database.queries, 'default', { clientId: assistant.id }, Date.now())
    assert.deepEqual(grants, [])
  })

  test('a database that fails the server is no fault of the application, and the log says what it was', async () => {
    const { stage, person } = await setUp('failing@x')
    const assistant = await Assistant.register(stage, { door: stage.lenient })
    const { refresh_token: token } = await assistant.connect(person)
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(stage.database.queries)
    await rename('oauth_records', 'away')
    try {
      const { status, json } = await assistant.refresh(token)
      assert.deepEqual([status, json.detail?.[0].type], [500, 'internal'], JSON.stringify(json))
    } finally {
      await rename('away', 'oauth_records')
    }
    assert.ok(stage.log.some((line) => line.includes('request failed') && line.includes('oauth_records')))
    assert.equal((await assistant.refresh(token)).status, 200)
  })
}
