import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { revokeApiKey } from '../../src/identity/administration/end-access.ts'
import { assertUntouched } from '../isolation/tables.ts'
import { Assistant, REDIRECT } from './assistant.ts'
import { refused } from './refused.ts'
import { type Answer, HOST, type Stage } from './stage.ts'

const GOOD = { client_name: 'An assistant', redirect_uris: [REDIRECT] }

/** Declares the tests of who may register clients, what clients may claim, and what they may do without a person. */
export function clientAttacks(stageOf: () => Stage): void {
  const register = (stage: Stage, json: object = GOOD, bearer?: string, host = HOST, door = stage.strict) =>
    stage.send('POST', '/oauth/register', { json, bearer, host }, door)
  const mode = (stage: Stage, oauthRegistration: string, tenant: string) =>
    changeTenant(stage.database, tenant, { settings: { oauthRegistration } })

  test('each registration mode admits only those it should', async () => {
    const stage = stageOf()
    const host = 'modes.example'
    await stage.tenant('modes', host)
    await stage.tenant('beside')
    const keys = {
      none: undefined,
      good: await stage.key(['clients:register'], 'modes'),
      poor: await stage.key(['knowledge:read', 'tenant:admin'], 'modes'),
      foreign: await stage.key(['clients:register'], 'beside'),
      nonsense: 'nonsense',
      unknown: `ks_${'0'.repeat(40)}`,
    }
    const expected: Record<string, Record<keyof typeof keys, number>> = {
      key: { none: 401, good: 201, poor: 403, foreign: 401, nonsense: 401, unknown: 401 },
      open: { none: 201, good: 201, poor: 403, foreign: 401, nonsense: 401, unknown: 401 },
      off: { none: 401, good: 403, poor: 403, foreign: 401, nonsense: 401, unknown: 401 },
    }
    for (const [name, statuses] of Object.entries(expected)) {
      await mode(stage, name, 'modes')
      for (const [who, status] of Object.entries(statuses)) {
        const attempt = async () => {
          const answer = await register(stage, GOOD, keys[who as keyof typeof keys], host)
          assert.equal(answer.status, status, `${name} ${who}: ${answer.text}`)
          if (status === 201) assert.ok(answer.json.registration_client_uri.startsWith(`https://${host}/`))
        }
        await (status === 201 ? attempt() : assertUntouched(stage.database, ['modes', 'beside', '*'], attempt))
      }
      const { json } = await stage.send('GET', '/.well-known/oauth-authorization-server', { host })
      assert.equal('registration_endpoint' in json, name !== 'off')
      assert.equal(json.client_id_metadata_document_supported, name === 'open')
    }
  })

  test('self-registrations of an address are limited', async () => {
    const stage = stageOf()
    const host = 'many.example'
    await stage.tenant('many', host)
    await mode(stage, 'open', 'many')
    const statuses: number[] = []
    // Through a service that no other attack uses.
    const attempt = (key?: string) => register(stage, GOOD, key, host, stage.lenient)
    for (let i = 0; i < 22; i++) statuses.push((await attempt()).status)
    assert.deepEqual([statuses[0], statuses.at(-1)], [201, 429])
    assert.equal((await attempt(await stage.key(['clients:register'], 'many'))).status, 201)
    // Clients that no person has allowed do not fill the administrators' list either.
    const bearer = await stage.key(['tenant:admin'], 'many')
    const { json: listed } = await stage.send('GET', '/api/knowledge/oauth-clients', { bearer, host })
    assert.deepEqual(
      listed.map(({ registration }: { registration: string }) => registration),
      ['key'],
    )
  })

  test('metadata with foreign addresses or unknown values is refused, naming the field', async () => {
    const stage = stageOf()
    const addresses = [
      'http://app.example/callback',
      'https://*.example/callback',
      'https://app.example/call\\back',
      'https://app.example/callback#a',
      'https://user:pass@app.example/callback',
      'https://localhost/callback',
      'https://127.0.0.1/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://169.254.169.254/latest',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'app:/callback',
      'ftp://app.example/callback',
      '/callback',
      'callback',
      '//app.example/callback',
      'https://',
      ' https://app.example/callback',
    ]
    const metadata: [field: string, more: object][] = [
      ['grant_types', { grant_types: ['implicit'] }],
      ['grant_types', { grant_types: ['password'] }],
      ['grant_types', { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] }],
      ['response_types', { response_types: ['token'] }],
      ['response_types', { response_types: ['code', 'id_token'] }],
      ['response_types', { grant_types: ['client_credentials'], response_types: ['code'] }],
      ['token_endpoint_auth_method', { token_endpoint_auth_method: 'private_key_jwt' }],
      ['token_endpoint_auth_method', { token_endpoint_auth_method: 'none', grant_types: ['client_credentials'] }],
      ['scope', { scope: 'knowledge:read root' }],
      ['client_name', { client_name: 'Claude\u202e (verified)' }],
      ['client_name', { client_name: 'Cl\u200baude' }],
      ['client_name', { client_name: 'Claude\nverified' }],
      ['client_name', { client_name: '\u3164' }],
      ['client_name', { client_name: 'Claude\u2800' }],
      ['client_name', { client_name: '\u00a0\u3000 ' }],
    ]
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const uri of addresses) {
        for (const redirect_uris of [[uri], [REDIRECT, uri]]) {
          refused(await register(stage, { ...GOOD, redirect_uris }, stage.adminKey), 'invalid_redirect_uri')
        }
      }
      for (const [field, more] of metadata) {
        const answer = await register(stage, { ...GOOD, ...more }, stage.adminKey)
        refused(answer, 'invalid_client_metadata')
        assert.ok(answer.json.error_description.startsWith(field), answer.text)
      }
    })
    // Further claims have no effect.
    const claims = {
      client_id: 'mine',
      client_secret: 'mine',
      tenant_id: 'elsewhere',
      registration: 'open',
      allowed_scopes: 'tenant:admin',
      jwks_uri: 'http://169.254.169.254/keys',
      sector_identifier_uri: 'https://169.254.169.254/uris',
      logo_uri: 'http://169.254.169.254/logo',
    }
    const { json } = await register(stage, { ...GOOD, ...claims }, stage.adminKey)
    for (const [name, value] of Object.entries(claims)) assert.notEqual(json[name], value)
    const row = await stage.database.queries
      .selectFrom('oauth_clients')
      .selectAll()
      .where('id', '=', json.client_id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([row.tenant_id, row.registration], ['default', 'key'])
    assert.doesNotMatch(row.metadata, /169\.254|elsewhere|allowed_scopes/)
  })

  test('a registration is managed with its own token, and reveals no more than it may', async () => {
    const stage = stageOf()
    const key = await stage.key(['clients:register', 'knowledge:read', 'visibility:public'])
    const registration = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_post' }
    const mine = await Assistant.register(stage, { key, registration })
    const other = await Assistant.register(stage)
    const path = `/oauth/register/${mine.id}`
    await assertUntouched(stage.database, ['default', '*'], async () => {
      const tokens = [
        undefined,
        'wrong',
        other.managementToken,
        mine.secret,
        stage.adminKey,
        `${mine.managementToken}x`,
      ]
      for (const bearer of tokens) {
        for (const [method, json] of [['GET'], ['PUT', GOOD], ['DELETE']] as const) {
          assert.equal((await stage.send(method, path, { json, bearer })).status, 401, method)
        }
      }
      const own = { bearer: mine.managementToken }
      assert.equal((await stage.send('GET', `/oauth/register/${other.id}`, own)).status, 401)
      assert.equal((await stage.send('GET', '/oauth/register/unknown', own)).status, 401)
      assert.equal((await stage.send('GET', path, { ...own, host: 'modes.example' })).status, 401)
      const bad = { ...GOOD, redirect_uris: ['https://user@app.example/'] }
      refused(await stage.send('PUT', path, { ...own, json: bad }), 'invalid_redirect_uri')
    })
    const changed = { ...GOOD, ...registration, scope: 'knowledge:read knowledge:write tenant:admin' }
    const { status, json, text } = await stage.send('PUT', path, { json: changed, bearer: mine.managementToken })
    assert.deepEqual([status, json.scope], [200, 'knowledge:read'], text)
    assert.equal(json.client_secret, undefined)
  })

  test('a client that acts for itself never has more scopes than the key that registered it, or the key that vouches for it', async () => {
    const stage = stageOf()
    const scopes = ['clients:register', 'knowledge:read', 'categories:write', 'visibility:internal'] as const
    const key = await stage.key(scopes)
    const registration = {
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'knowledge:read categories:write tenant:admin visibility:restricted',
    }
    const client = await Assistant.register(stage, { key, registration })
    const form = (more = {}) => ({ grant_type: 'client_credentials', client_id: client.id, ...more })
    const own = { client_secret: client.secret }
    const issue = (fields: Record<string, string>, bearer?: string) =>
      stage.send('POST', '/oauth/token', { form: fields, bearer })
    const may = async (answer: Answer): Promise<string[]> => {
      assert.equal(answer.status, 200, answer.text)
      const { json } = await stage.send('GET', '/api/session', { bearer: answer.json.access_token })
      assert.equal(json.user, null)
      return json.scopes.filter(
        (scope: string) => !scope.startsWith('visibility:p') && scope !== 'visibility:community',
      )
    }
    const all = 'knowledge:read categories:write tenant:admin visibility:restricted'
    const limit = ['knowledge:read', 'categories:write', 'visibility:internal']
    assert.deepEqual((await may(await issue(form({ ...own, scope: limit.join(' ') })))).toSorted(), limit.toSorted())
    // Scopes beyond what may be granted are refused or left out.
    const greedy = await issue(form({ ...own, scope: all }))
    if (greedy.status === 200) for (const scope of await may(greedy)) assert.ok(limit.includes(scope), scope)
    else refused(greedy, 'invalid_scope')

    const reader = await stage.key(['knowledge:read', 'visibility:public'])
    assert.deepEqual(await may(await issue(form({ scope: all }), reader)), ['knowledge:read'])
    assert.deepEqual(await may(await issue(form(), reader)), ['knowledge:read'])

    await stage.tenant('vouching')
    const foreign = await stage.key([...scopes], 'vouching')
    const revoked = await issueApiKey(stage.database, 'default', {
      name: 'gone',
      scopes: [...scopes],
      userId: null,
      expiresAt: null,
    })
    await revokeApiKey(stage.database, 'default', revoked.id)
    const products = await stage.key(['products:read'])
    const people = await Assistant.register(stage)
    await assertUntouched(stage.database, ['default', 'vouching', '*'], async () => {
      refused(await issue(form()), 'invalid_client', 401)
      refused(await issue(form({ client_secret: 'wrong' })), 'invalid_client', 401)
      refused(await issue(form({ client_secret: client.managementToken })), 'invalid_client', 401)
      refused(await issue(form(), foreign), 'invalid_client', 401)
      refused(await issue(form(), revoked.key), 'invalid_client', 401)
      refused(await issue(form(), products), 'invalid_scope')
      refused(await issue(form({ ...own, resource: 'https://other.example' })), 'invalid_target')
      refused(await issue({ ...form(), client_id: people.id }, stage.adminKey), 'invalid_request')
      refused(await issue(form({ client_id: 'unknown' }), stage.adminKey), 'invalid_client', 401)
    })
    // A client registered without a person's key cannot act for itself.
    await stage.tenant('alone', 'alone.example')
    await mode(stage, 'open', 'alone')
    const self = { ...GOOD, grant_types: ['client_credentials'] }
    refused(await register(stage, self, undefined, 'alone.example'), 'invalid_client_metadata')
  })

  test('a key that may only register clients cannot register one with more scopes', async () => {
    const stage = stageOf()
    const key = await stage.key(['clients:register'])
    const self = { ...GOOD, grant_types: ['client_credentials'], scope: 'tenant:admin knowledge:read' }
    refused(await register(stage, self, key), 'invalid_client_metadata')
    // A client registered without scopes has none.
    const method = 'client_secret_post'
    const registration = { ...self, token_endpoint_auth_method: method }
    const client = await Assistant.register(stage, { registration })
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }
    const forms: Record<string, string>[] = [form, { ...form, scope: 'tenant:admin knowledge:read' }]
    for (const scope of ['', ' ', undefined, null]) {
      const stored = { ...registration, response_types: [], scope }
      await stage.database.queries
        .updateTable('oauth_clients')
        .set({ metadata: JSON.stringify(stored) })
        .where('id', '=', client.id)
        .execute()
      for (const form of forms) {
        const { json, status } = await client.token(form)
        assert.ok(status < 500, `${scope} ${JSON.stringify(json)}`)
        const { json: session } = await stage.send('GET', '/api/session', { bearer: json.access_token ?? 'none' })
        assert.deepEqual(session.scopes ?? [], [], `${scope} ${JSON.stringify(json)}`)
      }
    }
  })

  test('a client that was not registered to act for itself cannot gain that by a change', async () => {
    const stage = stageOf()
    const client = await Assistant.register(stage, { registration: { token_endpoint_auth_method: undefined } })
    const json = { ...GOOD, grant_types: ['authorization_code', 'client_credentials'] }
    await assertUntouched(stage.database, ['default', '*'], async () => {
      const path = `/oauth/register/${client.id}`
      refused(await stage.send('PUT', path, { json, bearer: client.managementToken }), 'invalid_client_metadata')
    })
  })
}
