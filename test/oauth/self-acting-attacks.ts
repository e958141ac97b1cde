import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertUntouched } from '../isolation/tables.ts'
import { Assistant, ITSELF, REDIRECT } from './assistant.ts'
import { Person } from './person.ts'
import { refused } from './refused.ts'
import { pkce, type Stage } from './stage.ts'

/** Declares the tests of an attacker with few permissions who uses a client that acts without a person. */
export function selfActingAttacks(stageOf: () => Stage): void {
  test('a change of registration cannot add scopes that the client was registered without', async () => {
    const stage = stageOf()
    const named = { client_name: 'Greedy', redirect_uris: [REDIRECT] }
    const scope = 'knowledge:read visibility:internal'
    const client = await Assistant.register(stage, { registration: { ...ITSELF, scope } })
    const change = (more: object) => {
      const json = { ...named, ...ITSELF, ...more }
      return stage.send('PUT', `/oauth/register/${client.id}`, { json, bearer: client.managementToken })
    }
    const granted = 'knowledge:read visibility:public visibility:community visibility:internal'
    for (const more of [{}, { scope: null }, { scope: ' ' }, { scope: 'openid' }, { scope: `tenant:admin ${scope}` }]) {
      const { status, json, text } = await change(more)
      assert.deepEqual([status, json.scope], [200, granted], text)
    }
    refused(await change({ scope: 'tenant:admin' }), 'invalid_client_metadata')
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }
    assert.equal((await client.token(form)).json.scope, granted)
    // A client that people allow also stays within its registration.
    const narrow = await Assistant.register(stage, { registration: { scope: 'knowledge:read' } })
    const sent = { json: named, bearer: narrow.managementToken }
    assert.equal((await stage.send('PUT', `/oauth/register/${narrow.id}`, sent)).json.scope, 'knowledge:read')
    // Scopes that a client gave up do not come back.
    assert.equal((await change({ scope: 'knowledge:read' })).json.scope, 'knowledge:read')
    assert.equal((await change({})).json.scope, 'knowledge:read')
  })

  test('a key without any scope that a client asks for cannot register one that acts for itself', async () => {
    const stage = stageOf()
    const key = await stage.key(['clients:register'])
    const wanting = (scope: string) => ({ client_name: 'Greedy', redirect_uris: [REDIRECT], ...ITSELF, scope })
    const mine = await Assistant.register(stage, { key, registration: ITSELF })
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const scope of ['knowledge:read', 'tenant:admin visibility:restricted']) {
        const json = wanting(scope)
        refused(await stage.send('POST', '/oauth/register', { json, bearer: key }), 'invalid_client_metadata')
        const own = { json, bearer: mine.managementToken }
        refused(await stage.send('PUT', `/oauth/register/${mine.id}`, own), 'invalid_client_metadata')
      }
    })
    const form = { grant_type: 'client_credentials', client_id: mine.id, client_secret: mine.secret }
    const greedy = { ...form, scope: 'tenant:admin knowledge:read visibility:restricted' }
    assert.equal((await mine.token(greedy)).json.scope, undefined)
    // A stored client without scopes does not count as one without limits.
    const { queries } = stage.database
    const row = queries.selectFrom('oauth_clients').select('metadata').where('id', '=', mine.id)
    const metadata = JSON.parse((await row.executeTakeFirstOrThrow()).metadata) as object
    await queries
      .updateTable('oauth_clients')
      .set({ metadata: JSON.stringify({ ...metadata, scope: '' }) })
      .where('id', '=', mine.id)
      .execute()
    const { json } = await mine.token(greedy)
    const { json: session } = await stage.send('GET', '/api/session', { bearer: json.access_token })
    assert.deepEqual([json.scope, session.scopes], [undefined, []])
  })

  test('what a person grants to an application registers no client, for people or to act for itself', async () => {
    const stage = stageOf()
    const { email } = await stage.user('registrar@x', 'admin')
    const person = new Person(stage)
    await person.signIn(email)
    const assistant = await Assistant.register(stage)
    const scope = 'clients:register tenant:admin knowledge:read visibility:internal'
    const proof = pkce()
    const { access_token: bearer } = await assistant.exchange(
      await assistant.code(person, proof, scope.split(' '), { scope }),
      proof,
    )
    const named = { client_name: 'Lasting', redirect_uris: [REDIRECT] }
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const json of [named, { ...named, ...ITSELF }]) {
        const { status, text } = await stage.send('POST', '/oauth/register', { json, bearer })
        assert.equal(status, 403, text)
        assert.match(text, /An access token registers no clients: send an API key/)
      }
    })
  })

  test('a client id encoded for Basic as the standard says gets the registered scopes', async () => {
    const stage = stageOf()
    const registration = { ...ITSELF, token_endpoint_auth_method: 'client_secret_basic', scope: 'knowledge:read' }
    const client = await Assistant.register(stage, { registration })
    const encoded = (text: string) => text.replaceAll('-', '%2D')
    const send = (pair: string) =>
      client.token(
        { grant_type: 'client_credentials' },
        { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
      )
    const { status, json, text } = await send(`${encoded(client.id)}:${encoded(client.secret)}`)
    assert.deepEqual([status, json.scope], [200, 'knowledge:read'], text)
    refused(await send(`%:${client.secret}`), 'invalid_request')
  })
}
