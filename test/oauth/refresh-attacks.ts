import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertUntouched } from '../isolation/tables.ts'
import { Assistant, statusOf } from './assistant.ts'
import { Person } from './person.ts'
import { refused } from './refused.ts'
import { pkce, type Stage } from './stage.ts'

/** How often a refresh token may be used, by whom and for what. */
export function refreshAttacks(stageOf: () => Stage): void {
  const setUp = async (email: string) => {
    const stage = stageOf()
    const user = await stage.user(email)
    const person = new Person(stage)
    await person.beSignedIn(user.id)
    return { stage, person, assistant: await Assistant.register(stage) }
  }

  test('a refresh token that comes again ends everything that came from its grant', async () => {
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

  test('of a refresh token that comes twice at the same moment nothing stays', async () => {
    const { stage, person, assistant } = await setUp('race@x')
    const { access_token: access, refresh_token: token } = await assistant.connect(person)
    const answers = await Promise.all([1, 2, 3].map(() => assistant.refresh(token)))
    const given = answers.filter(({ status }) => status === 200)
    assert.ok(given.length <= 1)
    for (const answer of answers.filter((each) => !given.includes(each))) refused(answer, 'invalid_grant')
    for (const each of [access, ...given.map(({ json }) => json.access_token)]) {
      assert.equal(await statusOf(stage, each), 401)
    }
  })

  test('within the grace a refresh token answers once more, for whom the answer was lost; after it the family dies', async () => {
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

  test('within the grace a refresh token is refused once what replaced it was used', async () => {
    const { stage, person } = await setUp('replayed@x')
    const assistant = await Assistant.register(stage, { door: stage.lenient })
    const { refresh_token: first } = await assistant.connect(person)
    const { refresh_token: second } = (await assistant.refresh(first)).json
    const { access_token: access } = (await assistant.refresh(second)).json
    refused(await assistant.refresh(first), 'invalid_grant')
    assert.equal(await statusOf(stage, access), 401)
  })

  test('a refresh token is its client’s alone, for no more than was granted and for no other resource', async () => {
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
    const { json: kept } = await secretive.token({ ...exchange, client_secret: secretive.secret })
    await assertUntouched(stage.database, ['default', '*'], async () => {
      refused(await secretive.refresh(kept.refresh_token), 'invalid_client', 401)
      for (const client_secret of ['wrong', assistant.secret, secretive.managementToken]) {
        refused(await secretive.refresh(kept.refresh_token, { client_secret }), 'invalid_client', 401)
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
