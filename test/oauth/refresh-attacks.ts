import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapterOf } from '../../src/identity/oauth/protocol/adapter.ts'
import { OAUTH_SERVER } from '../../src/identity/oauth/protocol/records.ts'
import * as store from '../../src/identity/oauth/store.ts'
import { assertUntouched } from '../isolation/tables.ts'
import { Assistant, statusOf } from './assistant.ts'
import { Person } from './person.ts'
import { refused } from './refused.ts'
import { ISSUER, pkce, type Stage } from './stage.ts'

/** Declares the tests of how often a refresh token may be used, by whom and for what. */
export function refreshAttacks(stageOf: () => Stage): void {
  const setUp = async (email: string) => {
    const stage = stageOf()
    const user = await stage.user(email)
    const person = new Person(stage)
    await person.beSignedIn(user.id)
    return { stage, person, assistant: await Assistant.register(stage) }
  }

  test('a refresh token used twice ends everything that came from its grant', async () => {
    const { stage, person, assistant } = await setUp('reuse@x')
    const first = await assistant.connect(person)
    const second = (await assistant.refresh(first.refresh_token)).json
    assert.notEqual(second.refresh_token, first.refresh_token)
    refused(await assistant.refresh(first.refresh_token), 'invalid_grant')
    for (const { access_token: token } of [first, second]) assert.equal(await statusOf(stage, token), 401)
    refused(await assistant.refresh(second.refresh_token), 'invalid_grant')
    const grants = await stage.send('GET', '/api/knowledge/oauth-grants', { bearer: stage.adminKey })
    assert.ok(!grants.json.some(({ client_id: id }: { client_id: string }) => id === assistant.id))
  })

  test('a refresh token used twice at the same moment leaves no valid token', async () => {
    const { stage, person, assistant } = await setUp('race@x')
    const { access_token: access, refresh_token: token } = await assistant.connect(person)
    const answers = await Promise.all([1, 2, 3].map(() => assistant.refresh(token)))
    const successes = answers.filter(({ status }) => status === 200)
    assert.ok(successes.length <= 1)
    for (const answer of answers.filter((each) => !successes.includes(each))) refused(answer, 'invalid_grant')
    for (const each of [access, ...successes.map(({ json }) => json.access_token)]) {
      assert.equal(await statusOf(stage, each), 401)
    }
  })

  test('within the grace period a refresh token works again, for clients that lost the answer; later its use ends the family', async () => {
    const { stage, person } = await setUp('grace@x')
    const assistant = await Assistant.register(stage, { door: stage.lenient })
    const { refresh_token: token } = await assistant.connect(person)
    const answers = [await assistant.refresh(token), await assistant.refresh(token)]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    await stage.database.queries
      .updateTable('oauth_records')
      .set({ consumed_at: Date.now() - 31_000 })
      .where('client_id', '=', assistant.id)
      .where('consumed_at', 'is not', null)
      .execute()
    refused(await assistant.refresh(token), 'invalid_grant')
    for (const { json } of answers) assert.equal(await statusOf(stage, json.access_token), 401)
  })

  test('within the grace period a refresh token is refused once its replacement was used', async () => {
    const { stage, person } = await setUp('replayed@x')
    const assistant = await Assistant.register(stage, { door: stage.lenient })
    const { refresh_token: first } = await assistant.connect(person)
    const { refresh_token: second } = (await assistant.refresh(first)).json
    const { access_token: access } = (await assistant.refresh(second)).json
    refused(await assistant.refresh(first), 'invalid_grant')
    assert.equal(await statusOf(stage, access), 401)
  })

  /**
   * Makes an assistant whose refresh token was used twice within the grace period.
   * @returns its first tokens, and those of each use
   */
  const replacedTwice = async (email: string) => {
    const { stage, person } = await setUp(email)
    const assistant = await Assistant.register(stage, { door: stage.lenient })
    const old = await assistant.connect(person)
    const answers = [await assistant.refresh(old.refresh_token), await assistant.refresh(old.refresh_token)]
    const [first, second] = answers.map(({ json }) => json)
    return { stage, assistant, old, first, second }
  }

  test('of two replacements within the grace, the first that is used ends the other, and using the other ends the family', async () => {
    for (const isLater of [false, true]) {
      const { stage, assistant, old, first, second } = await replacedTwice(`family-${isLater}@x`)
      const [winner, other] = isLater ? [second, first] : [first, second]
      const goodOnes = async (...tokens: { access_token: string }[]) =>
        Promise.all(tokens.map(({ access_token: token }) => statusOf(stage, token)))
      assert.deepEqual(await goodOnes(old, winner, other), [200, 200, 200])
      const next = (await assistant.refresh(winner.refresh_token)).json
      assert.deepEqual(await goodOnes(old, winner, next, other), [200, 200, 200, 401])
      const last = (await assistant.refresh(next.refresh_token)).json
      assert.deepEqual(await goodOnes(last), [200])

      refused(await assistant.refresh(other.refresh_token), 'invalid_grant')
      assert.deepEqual(await goodOnes(old, winner, next, last), [401, 401, 401, 401])
      refused(await assistant.refresh(last.refresh_token), 'invalid_grant')
    }
  })

  test('two processes that use two replacements of one refresh token at the same moment both lose access', async (t) => {
    const { stage, assistant, old, first, second } = await replacedTwice('family-raced@x')
    const other = await stage.beside()
    t.after(() => other.close())
    const answers = await Promise.all([
      assistant.refresh(first.refresh_token),
      assistant.refresh(second.refresh_token, {}, other),
    ])
    const successes = answers.filter(({ status }) => status === 200).map(({ json }) => json)
    assert.ok(successes.length <= 1)
    for (const { access_token: token } of [old, first, second, ...successes])
      assert.equal(await statusOf(stage, token), 401)
  })

  test('of a refresh token and its replacement, used at the same moment, at most one gets an access token that lasts', async (t) => {
    const { stage, person } = await setUp('family-overtaken@x')
    const other = await stage.beside()
    t.after(() => other.close())
    for (let i = 0; i < 5; i++) {
      const assistant = await Assistant.register(stage, { door: stage.lenient })
      const old = await assistant.connect(person)
      const { refresh_token: token } = (await assistant.refresh(old.refresh_token)).json
      const answers = await Promise.all([assistant.refresh(token), assistant.refresh(old.refresh_token, {}, other)])
      const successes = answers.filter(({ status }) => status === 200)
      const good = await Promise.all(successes.map(({ json }) => statusOf(stage, json.access_token)))
      assert.ok(good.filter((status) => status === 200).length <= 1, String(good))
    }
  })

  test('a replacement that is still being issued when another is used is not issued', async () => {
    const { stage, assistant, old, first, second } = await replacedTwice('family-late@x')
    const { queries } = stage.database
    const [grant] = await store.listGrants(queries, 'default', { clientId: assistant.id }, Date.now())
    const { accountId, clientId } = JSON.parse(grant.payload) as { accountId: string; clientId: string }
    const payload = { accountId, clientId, grantId: grant.grant_id!, scope: 'knowledge:read', aud: `${ISSUER}/mcp` }
    const realm = { issuer: ISSUER, tenantId: null }
    const issue = (kind: string, id: string) => {
      const renewal = () => ({ replaced: old.refresh_token, replacement: second.refresh_token })
      const options = {
        database: stage.database,
        realm,
        refreshGraceMs: 30_000,
        renewal,
        voucher: () => null,
        revoker: () => OAUTH_SERVER,
      }
      const adapter = adapterOf(options)(kind)
      return adapter.upsert(id.repeat(43), { ...payload, kind }, 60)
    }
    await issue('RefreshToken', 'r')
    await issue('AccessToken', 'a')
    assert.equal(await statusOf(stage, 'a'.repeat(43)), 200)
    const next = (await assistant.refresh(first.refresh_token)).json
    assert.equal(await statusOf(stage, 'a'.repeat(43)), 401)
    await assertUntouched(stage.database, ['default', '*'], async () => {
      await assert.rejects(issue('RefreshToken', 's'), { message: 'invalid_grant' })
      await assert.rejects(issue('AccessToken', 'b'), { message: 'invalid_grant' })
    })
    assert.equal(await statusOf(stage, next.access_token), 200)
  })

  test('one refresh token is replaced ten times within the grace period, and its replacements keep working', async () => {
    const { stage, assistant, old, first } = await replacedTwice('family-many@x')
    for (let i = 2; i < 10; i++) assert.equal((await assistant.refresh(old.refresh_token)).status, 200)
    refused(await assistant.refresh(old.refresh_token), 'invalid_grant')
    const { status, json } = await assistant.refresh(first.refresh_token)
    assert.equal(status, 200)
    assert.equal(await statusOf(stage, json.access_token), 200)
  })

  test('a refresh token works only for its client, its granted scopes and its resource', async () => {
    const { stage, person, assistant } = await setUp('refresh@x')
    const thief = await Assistant.register(stage)
    const { access_token: access, refresh_token: token } = await assistant.connect(person, ['knowledge:read'])
    await assertUntouched(stage.database, ['default', '*'], async () => {
      refused(await thief.refresh(token), 'invalid_grant')
      refused(await assistant.refresh(access), 'invalid_grant')
      refused(await assistant.refresh(token, { resource: 'https://other.example/mcp' }), 'invalid_target')
      for (const scope of ['knowledge:write', 'tenant:admin', 'root']) {
        const answer = await assistant.refresh(token, { scope: `knowledge:read ${scope}` })
        refused(answer, 'invalid_scope')
      }
    })
    const secretive = await Assistant.register(stage, {
      registration: { token_endpoint_auth_method: 'client_secret_post' },
    })
    const proof = pkce()
    const exchange = secretive.form(await secretive.code(person, proof), proof)
    const { json: tokens } = await secretive.token({ ...exchange, client_secret: secretive.secret })
    await assertUntouched(stage.database, ['default', '*'], async () => {
      refused(await secretive.refresh(tokens.refresh_token), 'invalid_client', 401)
      for (const client_secret of ['wrong', assistant.secret, secretive.managementToken]) {
        refused(await secretive.refresh(tokens.refresh_token, { client_secret }), 'invalid_client', 401)
      }
    })
    const { scope, access_token: fresh } = (await assistant.refresh(token)).json
    assert.equal(scope, 'knowledge:read')
    assert.equal(
      (await stage.send('POST', '/api/knowledge/categories', { json: { name: 'A' }, bearer: fresh })).status,
      403,
    )
  })
}
