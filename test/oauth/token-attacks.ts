import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { assertUntouched } from '../isolation/tables.ts'
import { Assistant, SCOPE, statusOf } from './assistant.ts'
import { Person } from './person.ts'
import { refused } from './refused.ts'
import { HOST, ISSUER, pkce, type Stage } from './stage.ts'

const CATEGORIES = '/api/knowledge/categories'

/** Declares the tests of what a token allows, where, for how long, and what ends it. */
export function tokenAttacks(stageOf: () => Stage): void {
  const setUp = async (email: string, { role = 'editor', tenant = 'default', host = HOST, key = '' } = {}) => {
    const stage = stageOf()
    const user = await stage.user(email, role, tenant)
    const person = new Person(stage, { host })
    await person.beSignedIn(user.id, tenant)
    const assistant = await Assistant.register(stage, { host, ...(key === '' ? {} : { key }) })
    return { stage, user, person, assistant }
  }
  const write = (stage: Stage, bearer: string, headers = {}) =>
    stage.send('POST', CATEGORIES, { json: { name: 'A' }, bearer, headers })

  test('X-Scopes only removes scopes of a token, and a lowered role counts at once', async () => {
    const { stage, user, person, assistant } = await setUp('role@x')
    const scopes = [...SCOPE.split(' '), 'categories:write']
    const proof = pkce()
    const code = await assistant.code(person, proof, scopes, { scope: scopes.join(' ') })
    const { access_token: token, refresh_token: refresh } = await assistant.exchange(code, proof)
    const forged = { 'x-client-id': 'somebody-else', 'x-audit-source': 'console' }
    const written = await write(stage, token, forged)
    assert.equal(written.status, 201)
    const event = await stage.database.queries
      .selectFrom('audit_log')
      .select(['user_id', 'client_id'])
      .where('resource_id', '=', written.json.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(event, { user_id: user.id, client_id: assistant.id })
    const session = async (bearer: string, headers = {}) =>
      (await stage.send('GET', '/api/session', { bearer, headers })).json.scopes as string[]
    const own = await session(token)
    assert.deepEqual(await session(token, { 'x-scopes': 'tenant:admin sites:write visibility:restricted' }), [
      'visibility:public',
      'visibility:community',
      'visibility:internal',
    ])
    assert.ok(!own.includes('tenant:admin') && !own.includes('visibility:workspace'))
    assert.equal((await write(stage, token, { 'x-scopes': 'knowledge:read' })).status, 403)
    await changeUser(stage.database, 'default', user.id, { role: 'reader' })
    assert.equal((await write(stage, token)).status, 403)
    const renewed = (await assistant.refresh(refresh)).json
    assert.equal((await write(stage, renewed.access_token)).status, 403)
    assert.ok(!(await session(renewed.access_token)).includes('knowledge:write'))
  })

  test('a token ends with its user, its client, its grant and its revocation, and so does its refresh token', async () => {
    const ends: Record<string, (all: Awaited<ReturnType<typeof setUp>> & { token: string }) => Promise<unknown>> = {
      user: ({ stage, user }) => changeUser(stage.database, 'default', user.id, { disabled: true }),
      client: ({ stage, assistant }) =>
        stage.send('DELETE', `/api/knowledge/oauth-clients/${assistant.id}`, { bearer: stage.adminKey }),
      registration: ({ stage, assistant }) =>
        stage.send('DELETE', `/oauth/register/${assistant.id}`, { bearer: assistant.managementToken }),
      grant: async ({ person }) => {
        const [grant] = (await person.call('GET', '/api/knowledge/oauth-grants')).json
        return person.call('DELETE', `/api/knowledge/oauth-grants/${grant.id}`)
      },
      revocation: ({ stage, assistant, token }) =>
        stage.send('POST', '/oauth/revoke', { form: { token, client_id: assistant.id } }),
    }
    for (const [what, end] of Object.entries(ends)) {
      const all = await setUp(`${what}@ends`)
      const { access_token: token, refresh_token: refresh } = await all.assistant.connect(all.person)
      assert.equal(await statusOf(all.stage, token), 200, what)
      await end({ ...all, token })
      assert.equal(await statusOf(all.stage, token), 401, what)
      const answer = await all.assistant.refresh(refresh)
      assert.ok(answer.status >= 400 && answer.status < 500, what)
      assert.match(answer.json.error, /^invalid_(grant|client)$/)
    }
  })

  test('only administrators can end another person’s grant', async () => {
    const { stage, person, assistant } = await setUp('owner@x')
    const { access_token: token } = await assistant.connect(person)
    const [grant] = (await person.call('GET', '/api/knowledge/oauth-grants')).json
    const { person: other } = await setUp('other@x')
    await assertUntouched(stage.database, ['default'], async () => {
      assert.deepEqual((await other.call('GET', '/api/knowledge/oauth-grants')).json, [])
      assert.equal((await other.call('DELETE', `/api/knowledge/oauth-grants/${grant.id}`)).status, 404)
      assert.equal((await other.call('GET', '/api/knowledge/oauth-clients')).status, 403)
      assert.equal((await other.call('DELETE', `/api/knowledge/oauth-clients/${assistant.id}`)).status, 403)
      // A page of another origin cannot either, nor can the token for another user.
      const foreign = { headers: { origin: 'https://evil.example' } }
      assert.equal((await person.call('DELETE', `/api/knowledge/oauth-grants/${grant.id}`, foreign)).status, 403)
    })
    assert.equal(await statusOf(stage, token), 200)
  })

  test('an assistant’s grant neither reveals nor ends the grants of others', async () => {
    const { stage, person, assistant } = await setUp('several@x')
    const { access_token: token } = await assistant.connect(person)
    const [grant] = (await person.call('GET', '/api/knowledge/oauth-grants')).json
    assert.equal((await stage.send('GET', '/api/knowledge/oauth-grants', { bearer: token })).status, 403)
    const ended = await stage.send('DELETE', `/api/knowledge/oauth-grants/${grant.id}`, { bearer: token })
    assert.equal(ended.status, 403)
    assert.equal(await statusOf(stage, token), 200)
    assert.equal((await person.call('DELETE', `/api/knowledge/oauth-grants/${grant.id}`)).status, 204)
  })

  test('a user who is enabled again has no assistants', async () => {
    const { stage, user, person, assistant } = await setUp('again@x')
    const { access_token: token, refresh_token: refresh } = await assistant.connect(person)
    const [grant] = (await person.call('GET', '/api/knowledge/oauth-grants')).json
    for (const disabled of [true, false]) await changeUser(stage.database, 'default', user.id, { disabled })
    assert.equal(await statusOf(stage, token), 401)
    refused(await assistant.refresh(refresh), 'invalid_grant')
    const audited = stage.database.queries.selectFrom('audit_log').select('action').where('resource_id', '=', grant.id)
    assert.deepEqual((await audited.execute()).at(-1), { action: 'revoke' })
  })

  test('everything that expires is refused afterwards', async () => {
    const { stage, person, assistant } = await setUp('expired@x')
    const { access_token: token, refresh_token: refresh } = await assistant.connect(person)
    await stage.expire('AccessToken', assistant.id)
    assert.equal(await statusOf(stage, token), 401)
    await stage.expire('RefreshToken', assistant.id)
    refused(await assistant.refresh(refresh), 'invalid_grant')
    const proof = pkce()
    const code = await assistant.code(person, proof)
    await stage.expire('AuthorizationCode', assistant.id)
    refused(await assistant.token(assistant.form(code, proof)), 'invalid_grant')

    const later = await assistant.connect(person)
    await stage.expire('Grant', assistant.id)
    refused(await assistant.refresh(later.refresh_token), 'invalid_grant')

    const { page } = await person.ask(assistant.query(pkce()))
    await stage.database.queries
      .updateTable('oauth_records')
      .set({ expires_at: Date.now() - 1_000 })
      .where('kind', '=', 'Interaction')
      .execute()
    assert.equal((await person.call('GET', `${page}/details`)).status, 404)
    assert.equal((await person.call('POST', `${page}/continue`)).status, 404)
    assert.equal((await person.consent(page!, ['knowledge:read'])).status, 404)
    const resumed = await person.call('GET', page!.replace('interaction', 'authorize'))
    assert.deepEqual([resumed.status, resumed.location], [400, null])

    const { page: fresh } = await person.ask(assistant.query(pkce()))
    await stage.database.queries.updateTable('sessions').set({ expires_at: 1 }).execute()
    assert.equal((await person.call('POST', `${fresh}/continue`)).status, 401)
  })

  test('a token works only at the address of its tenant, and another issuer does not know it', async () => {
    const stage = stageOf()
    const host = 'own.example'
    await stage.tenant('own', host)
    const key = await stage.key(['clients:register'], 'own')
    const there = await setUp('host@own', { tenant: 'own', host, key })
    const here = await setUp('host@default')
    const theirs = await there.assistant.connect(there.person)
    const ours = await here.assistant.connect(here.person)
    assert.equal(await statusOf(stage, theirs.access_token, host), 200)
    const meta = async (at: string) =>
      (await stage.send('GET', '/.well-known/oauth-authorization-server', { host: at })).json
    assert.deepEqual([(await meta(host)).issuer, (await meta(HOST)).issuer], [`https://${host}`, ISSUER])
    for (const at of ['evil.example', 'knowledge.example.evil.example', 'www.own.example', '127.0.0.1']) {
      assert.equal((await meta(at)).issuer, ISSUER, at)
    }

    await assertUntouched(stage.database, ['default', 'own', '*'], async () => {
      assert.equal(await statusOf(stage, theirs.access_token), 401)
      assert.equal(await statusOf(stage, ours.access_token, host), 401)
      const form = (token: string, id: string) => ({ grant_type: 'refresh_token', refresh_token: token, client_id: id })
      const at = (to: string, fields: Record<string, string>) =>
        stage.send('POST', '/oauth/token', { host: to, form: fields })
      refused(await at(HOST, form(theirs.refresh_token, there.assistant.id)), 'invalid_client', 401)
      refused(await at(HOST, form(theirs.refresh_token, here.assistant.id)), 'invalid_grant')
      refused(await at(host, form(ours.refresh_token, here.assistant.id)), 'invalid_client', 401)
      refused(await at(host, form(ours.refresh_token, there.assistant.id)), 'invalid_grant')
      const revoke = (to: string, token: string, id: string) =>
        stage.send('POST', '/oauth/revoke', { host: to, form: { token, client_id: id } })
      assert.equal((await revoke(HOST, theirs.access_token, here.assistant.id)).status, 200)
      assert.equal((await revoke(HOST, theirs.access_token, there.assistant.id)).status, 401)
      // A tenant's administrator learns nothing about another tenant's tokens.
      const request = { bearer: stage.adminKey, form: { token: theirs.access_token } }
      assert.deepEqual((await stage.send('POST', '/oauth/introspect', request)).json, { active: false })
    })
    // A token names its resource (RFC 8707), which every request checks.
    const aim = (audience: string | null) =>
      stage.database.queries
        .updateTable('oauth_records')
        .set({ audience })
        .where('kind', '=', 'AccessToken')
        .where('client_id', '=', here.assistant.id)
        .execute()
    for (const audience of [null, 'https://other.example/mcp', `https://${host}/mcp`, `${ISSUER}.evil.example`, 'x']) {
      await aim(audience)
      assert.equal(await statusOf(stage, ours.access_token), 401, String(audience))
    }
    await aim(`${ISSUER}/mcp`)
    assert.equal(await statusOf(stage, ours.access_token), 200)
    // Tokens do not move with a tenant, because they name the address where they work.
    await changeTenant(stage.database, 'own', { host: 'new.example' })
    for (const to of [host, 'new.example', HOST]) assert.equal(await statusOf(stage, theirs.access_token, to), 401, to)
  })

  test('a token works only for its tenant, even where several tenants share an address', async () => {
    const stage = stageOf()
    await stage.tenant('sharer')
    const key = await stage.key(['clients:register'], 'sharer')
    const { assistant, person } = await setUp('shared@sharer', { tenant: 'sharer', key })
    const { access_token: bearer } = await assistant.connect(person)
    const { json: category } = await write(stage, stage.adminKey)
    await assertUntouched(stage.database, ['default'], async () => {
      assert.equal((await stage.send('GET', `${CATEGORIES}/${category.id}`, { bearer })).status, 404)
      assert.deepEqual((await stage.send('GET', CATEGORIES, { bearer })).json, [])
      const { json } = await stage.send('GET', '/api/session', { bearer, headers: { 'x-tenant': 'default' } })
      assert.equal(json.tenant.id, 'sharer')
      const other = { bearer: stage.adminKey }
      for (const path of ['oauth-clients', 'oauth-grants']) {
        const { text } = await stage.send('GET', `/api/knowledge/${path}`, other)
        assert.ok(!text.includes(assistant.id), path)
      }
      assert.equal((await stage.send('DELETE', `/api/knowledge/oauth-clients/${assistant.id}`, other)).status, 404)
    })
    assert.equal(await statusOf(stage, bearer), 200)
  })

  test('introspection shows a client its own tokens, an administrator the tenant’s, and others nothing', async () => {
    const { stage, person, assistant } = await setUp('introspect@x')
    const { access_token: token, refresh_token: refresh } = await assistant.connect(person)
    const registration = { token_endpoint_auth_method: 'client_secret_post' }
    const other = await Assistant.register(stage, { registration })
    await stage.tenant('third')
    const foreign = await stage.key(['tenant:admin'], 'third')
    const reader = await stage.key(['knowledge:read'])
    const ask = (form: Record<string, string>, bearer?: string) =>
      stage.send('POST', '/oauth/introspect', { form, bearer })
    const post = { client_id: other.id, client_secret: other.secret }
    await assertUntouched(stage.database, ['default', 'third', '*'], async () => {
      for (const each of [token, refresh]) {
        assert.deepEqual((await ask({ token: each, ...post })).json, { active: false })
        assert.deepEqual((await ask({ token: each }, foreign)).json, { active: false })
        assert.deepEqual((await ask({ token: each, client_id: assistant.id })).json, { active: false })
        refused(await ask({ token: each }), 'invalid_client', 401)
        refused(await ask({ token: each, ...post, client_secret: 'wrong' }), 'invalid_client', 401)
        assert.deepEqual((await ask({ token: each, client_id: assistant.id }, foreign)).json, { active: false })
        refused(await ask({ token: each }, reader), 'insufficient_scope', 403)
        refused(await ask({ token: each, client_id: assistant.id }, reader), 'insufficient_scope', 403)
        const introspection = (await ask({ token: each }, stage.adminKey)).json
        assert.deepEqual(
          [introspection.active, introspection.client_id, introspection.iss],
          [true, assistant.id, ISSUER],
        )
      }
    })
  })
}
