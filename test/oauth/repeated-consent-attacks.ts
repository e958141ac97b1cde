import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { OAUTH_SERVER } from '../../src/identity/oauth/protocol/records.ts'
import { adapterOf } from '../../src/identity/oauth/protocol/adapter.ts'
import * as store from '../../src/identity/oauth/store.ts'
import { hashSecret } from '../../src/platform/random-secret.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { assertUntouched } from '../isolation/tables.ts'
import { writeWaits } from '../support/waiting-writes.ts'
import { Assistant, REDIRECT, SCOPE, statusOf } from './assistant.ts'
import { Person } from './person.ts'
import { ISSUER, pkce, type Stage } from './stage.ts'

const WRITES = '/api/knowledge/categories'

/**
 * Declares the tests of a person who allows the same application again, and of changes between the question and the
 * answer.
 */
export function repeatedConsentAttacks(stageOf: () => Stage): void {
  const setUp = async (email: string) => {
    const stage = stageOf()
    const user = await stage.user(email)
    const person = new Person(stage)
    await person.beSignedIn(user.id)
    return { stage, user, person, assistant: await Assistant.register(stage) }
  }
  const grantsOf = async (stage: Stage, client: string) =>
    (await stage.send('GET', '/api/knowledge/oauth-grants', { bearer: stage.adminKey })).json.filter(
      ({ client_id: id }: { client_id: string }) => id === client,
    )
  const scopeOf = async (stage: Stage, token: string): Promise<string | undefined> =>
    (await stage.send('POST', '/oauth/introspect', { form: { token }, bearer: stage.adminKey })).json.scope
  const eventsOf = async (stage: Stage, client: string) => {
    const { queries } = stage.database
    const rows = queries.selectFrom('audit_log').select('action').where('resource_type', '=', 'oauth_grant')
    return (await rows.where('client_id', '=', client).orderBy('at').orderBy('id').execute()).map(
      ({ action }) => action,
    )
  }
  const consentPage = async (person: Person, assistant: Assistant, more: Record<string, string> = {}) =>
    person.goOn((await person.ask(assistant.query(pkce(), more))).page!)

  test('allowing again narrows earlier tokens too, and only one grant can be seen and revoked', async () => {
    const { stage, person, assistant } = await setUp('allowing-again@x')
    const write = async (token: string) =>
      (await stage.send('POST', WRITES, { json: { name: 'x' }, bearer: token })).status
    const first = await assistant.connect(person)
    const less = ['knowledge:read', 'visibility:public']
    const second = await assistant.connect(person, less)
    const [only, ...rest] = await grantsOf(stage, assistant.id)
    assert.deepEqual([only.scopes, rest], [less, []])
    assert.deepEqual([await scopeOf(stage, first.access_token), second.scope], [less.join(' '), less.join(' ')])
    assert.equal(await write(first.access_token), 403)
    const renewed = await assistant.refresh(first.refresh_token)
    assert.deepEqual([renewed.status, renewed.json.scope], [200, less.join(' ')])

    // Additional scopes are only for new tokens; earlier tokens neither gain nor lose.
    const third = await assistant.connect(person, SCOPE.split(' '))
    assert.equal(third.scope, SCOPE)
    assert.equal(await scopeOf(stage, renewed.json.access_token), less.join(' '))
    const again = await assistant.refresh(renewed.json.refresh_token)
    assert.deepEqual([again.status, again.json.scope], [200, less.join(' ')])
    const [wide, ...more] = await grantsOf(stage, assistant.id)
    assert.deepEqual([[...wide.scopes].sort(), more], [SCOPE.split(' ').sort(), []])

    // Earlier tokens without a remaining scope have ended.
    const last = await assistant.connect(person, ['knowledge:write', 'visibility:internal'])
    const read = await stage.send('GET', '/api/knowledge/knowledge-entries', { bearer: third.access_token })
    assert.deepEqual([read.status, await write(third.access_token)], [403, 403])
    for (const token of [first, second, renewed.json, again.json]) {
      assert.equal(await statusOf(stage, token.access_token), 401)
    }
    assert.equal((await assistant.refresh(again.json.refresh_token)).json.error, 'invalid_grant')
    const grants = await grantsOf(stage, assistant.id)
    assert.equal(grants.length, 1)
    const path = `/api/knowledge/oauth-grants/${grants[0].id}`
    assert.equal((await stage.send('DELETE', path, { bearer: stage.adminKey })).status, 204)
    for (const token of [first, second, renewed.json, again.json, third, last]) {
      assert.equal(await statusOf(stage, token.access_token), 401)
    }
    assert.deepEqual(await grantsOf(stage, assistant.id), [])
    assert.equal((await assistant.refresh(last.refresh_token)).json.error, 'invalid_grant')
    // Each of the four consents made a grant. Of the earlier ones, one was narrowed, one replaced, and two ended.
    const events = await eventsOf(stage, assistant.id)
    const count = (action: string) => events.filter((each) => each === action).length
    assert.deepEqual([count('create'), count('update'), count('revoke')], [4, 2, 2])
  })

  test('two simultaneous consents make one grant', async () => {
    const { stage, person, assistant } = await setUp('allowing-twice@x')
    const pages = [await consentPage(person, assistant), await consentPage(person, assistant)]
    const chosen = [['knowledge:read'], ['knowledge:write']]
    const answers = await Promise.all(pages.map((page, each) => person.consent(page, chosen[each])))
    assert.deepEqual([answers[0].status, answers[1].status], [200, 200])
    const rows = await store.listGrants(stage.database.queries, 'default', { clientId: assistant.id }, Date.now())
    assert.equal(rows.length, 1)
  })

  test('a token issued while the grant is narrowed has no more than the narrowed scopes', async () => {
    const { stage, person, assistant } = await setUp('allowing-between@x')
    await assistant.connect(person)
    const [grant] = await store.listGrants(stage.database.queries, 'default', { clientId: assistant.id }, Date.now())
    const page = await consentPage(person, assistant)
    const token = 'N'.repeat(43)
    const [issued, consented] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const end = Date.now() + 60_000
    const issuing = stage.database.write(async (tx) => {
      const row = { ...grant, kind: 'AccessToken', hash: hashSecret(token), expires_at: end, scopes: SCOPE }
      await store.putRecord(tx, { ...row, audience: `${ISSUER}/mcp` })
      assert.ok(await store.extendGrant(tx, 'default', grant.grant_id!, end))
      issued.resolve()
      await consented.promise
    })
    await issued.promise
    const consenting = person.consent(page, ['knowledge:read'])
    await writeWaits(stage.database)
    consented.resolve()
    await issuing
    assert.equal((await consenting).status, 200)
    assert.equal(await scopeOf(stage, token), 'knowledge:read')

    // A token made from the grant's previous scopes is not issued either.
    const realm = { issuer: ISSUER, tenantId: null }
    const adapter = adapterOf({
      database: stage.database,
      realm,
      refreshGraceMs: 0,
      renewal: () => null,
      voucher: () => null,
      revoker: () => OAUTH_SERVER,
    })('AccessToken')
    const { accountId, clientId } = JSON.parse(grant.payload) as { accountId: string; clientId: string }
    const late = { accountId, clientId, grantId: grant.grant_id!, kind: 'AccessToken', aud: `${ISSUER}/mcp` }
    await assert.rejects(adapter.upsert('L'.repeat(43), { ...late, scope: SCOPE }, 60), { message: 'invalid_grant' })
    assert.equal(await statusOf(stage, 'L'.repeat(43)), 401)
    await adapter.upsert('M'.repeat(43), { ...late, scope: 'knowledge:read' }, 60)
    assert.equal(await statusOf(stage, 'M'.repeat(43)), 200)
  })

  test('an interrupted consent leaves nothing behind, and can be repeated', async () => {
    const { stage, person } = await setUp('allowing-broken@x')
    const { queries, portable } = stage.database
    await changeTenant(stage.database, 'default', { settings: { oauthRegistration: 'open' } })
    const json = { client_name: 'Self', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
    const { client_id: id } = (await stage.send('POST', '/oauth/register', { json })).json
    const assistant = await Assistant.register(stage)
    const { page } = await person.ask(assistant.query(pkce(), { client_id: id }))
    const next = await person.goOn(page!)
    const isSqlite = portable.name === 'sqlite'
    // The last write of a consent: the answer to its request.
    await sql
      .raw(
        isSqlite
          ? "create trigger breaks before update on oauth_records when new.kind = 'Interaction' begin select raise(abort, 'broken'); end"
          : "alter table oauth_records add constraint breaks check (kind <> 'Interaction') not valid",
      )
      .execute(queries)
    try {
      await assertUntouched(stage.database, ['default', '*'], async () => {
        assert.equal((await person.consent(next, ['knowledge:read'])).status, 500)
      })
    } finally {
      await sql
        .raw(isSqlite ? 'drop trigger breaks' : 'alter table oauth_records drop constraint breaks')
        .execute(queries)
    }
    const granted = await person.consent(next, ['knowledge:read'])
    assert.equal(granted.status, 200, granted.text)
    assert.match((await person.follow(granted.json.location)).location!, /[?&]code=/)
    assert.equal((await grantsOf(stage, id)).length, 1)
    await changeTenant(stage.database, 'default', { settings: { oauthRegistration: 'key' } })
  })

  test('nothing is sent to an address that the client removes while the person decides', async () => {
    const { stage, person, assistant } = await setUp('allowing-moved@x')
    const move = async (uri: string) => {
      const json = { client_name: 'A', redirect_uris: [uri], token_endpoint_auth_method: 'none' }
      const sent = { json, bearer: assistant.managementToken }
      assert.equal((await stage.send('PUT', `/oauth/register/${assistant.id}`, sent)).status, 200)
    }
    const asking = (await person.ask(assistant.query(pkce()))).page!
    const deciding = await consentPage(person, assistant)
    const decided = await person.consent(await consentPage(person, assistant), ['knowledge:read'])
    await move('https://app.example/elsewhere')
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const [method, path] of [
        ['GET', `${asking}/details`],
        ['POST', `${asking}/continue`],
        ['POST', `${deciding}/deny`],
      ] as const) {
        assert.equal((await person.call(method, path)).status, 404, path)
      }
      assert.equal((await person.consent(deciding, ['knowledge:read'])).status, 404)
    })
    const { status, location, text } = await person.follow(decided.json.location)
    assert.deepEqual([status, location, /invalid_redirect_uri/.test(text)], [400, null, true])
    const codes = stage.database.queries
      .selectFrom('oauth_records')
      .select('hash')
      .where('kind', '=', 'AuthorizationCode')
    assert.deepEqual(await codes.where('client_id', '=', assistant.id).execute(), [])
    await move(REDIRECT)
    assert.ok(await assistant.code(person, pkce()))
  })

  test('a person who signed in recently enough need not do so again, and the application learns when that was', async () => {
    const { stage, user, person, assistant } = await setUp('allowing-recently@x')
    const at = Date.now() - 60_000
    const sessions = stage.database.queries.updateTable('sessions').set({ created_at: at })
    await sessions.where('user_id', '=', user.id).execute()
    const request = { scope: 'openid knowledge:read' }
    const isAsked = async (more: Record<string, string>) => {
      const page = (await person.ask(assistant.query(pkce(), { ...request, ...more }))).page!
      const { status } = await person.call('POST', `${page}/continue`)
      return [(await person.call('GET', `${page}/details`)).json.sign_in_again, status]
    }
    assert.deepEqual(await isAsked({ max_age: '59' }), [true, 403])
    assert.deepEqual(await isAsked({ max_age: '0' }), [true, 403])
    assert.deepEqual(await isAsked({ max_age: '3600', prompt: 'login' }), [true, 403])
    assert.deepEqual(await isAsked({ max_age: '3600' }), [false, 200])
    const proof = pkce()
    const code = await assistant.code(person, proof, ['knowledge:read'], { ...request, max_age: '3600' })
    const { json } = await assistant.token(assistant.form(code, proof))
    const { auth_time: told } = JSON.parse(Buffer.from(json.id_token.split('.')[1], 'base64url').toString())
    assert.equal(told, Math.floor(at / 1_000))
  })
}
