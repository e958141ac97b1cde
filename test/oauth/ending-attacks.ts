import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as clientStore from '../../src/identity/oauth/clients/client-store.ts'
import * as store from '../../src/identity/oauth/store.ts'
import { hashSecret } from '../../src/platform/random-secret.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { writeWaits } from '../support/waiting-writes.ts'
import { actAs, Assistant, ITSELF, statusOf } from './assistant.ts'
import { signedIn } from './person.ts'
import { pkce, type Stage } from './stage.ts'

/**
 * Declares the tests that ended access stays ended, whatever happens at the same moment, and that no access outlives
 * its origin.
 */
export function endingAttacks(stageOf: () => Stage): void {
  const setUp = (email: string) => signedIn(stageOf(), email)

  test('a token whose user does not exist is refused', async () => {
    const { stage, person } = await setUp('absent@x')
    const assistant = await Assistant.register(stage)
    const { access_token: token } = await assistant.connect(person)
    assert.equal(await statusOf(stage, token), 200)
    await stage.database.write(async (tx) => {
      const records = tx.updateTable('oauth_records').where('client_id', '=', assistant.id)
      await records.set({ user_id: 'nobody' }).execute()
    })
    assert.equal(await statusOf(stage, token), 401)
  })

  test('a client registered for the highest ceiling gets the person’s ceiling', async () => {
    const { stage, person } = await setUp('narrowed@x')
    const registration = { scope: 'knowledge:read visibility:restricted' }
    const assistant = await Assistant.register(stage, { registration })
    const proof = pkce()
    const request = { scope: registration.scope }
    const own = ['knowledge:read', 'visibility:workspace']
    const granted = await assistant.exchange(await assistant.code(person, proof, own, request), proof)
    assert.equal(granted.scope, own.join(' '))
    // A person may also grant less than they have, and never more.
    const again = pkce()
    const less = ['knowledge:read', 'visibility:internal']
    const lower = await assistant.exchange(await assistant.code(person, again, less, request), again)
    assert.equal(lower.scope, less.join(' '))
    const { page } = await person.ask(assistant.query(pkce(), request))
    const more = await person.consent(await person.goOn(page!), ['knowledge:read', 'visibility:restricted'])
    assert.equal(more.status, 422)
  })

  test('introspection names only the token’s scopes that its user has now', async () => {
    const { stage, user, person } = await setUp('lowered@x')
    const { access_token: token } = await (await Assistant.register(stage)).connect(person)
    await changeUser(stage.database, 'default', user.id, { role: 'reader' })
    const { json } = await stage.send('POST', '/oauth/introspect', { form: { token }, bearer: stage.adminKey })
    assert.equal(json.scope, 'knowledge:read visibility:internal')
  })

  test('introspection names the same to the client itself', async () => {
    const { stage, user, person } = await setUp('lowered-for-itself@x')
    const registration = { token_endpoint_auth_method: 'client_secret_post' }
    const assistant = await Assistant.register(stage, { registration })
    const proof = pkce()
    const own = { client_id: assistant.id, client_secret: assistant.secret }
    const form = assistant.form(await assistant.code(person, proof), proof)
    const tokens = (await assistant.token({ ...form, ...own })).json
    const told = async () => {
      const answers = [tokens.access_token, tokens.refresh_token].map((token) =>
        stage.send('POST', '/oauth/introspect', { form: { token, ...own } }),
      )
      return (await Promise.all(answers)).map(({ json }) => json.scope)
    }
    assert.deepEqual(await told(), [tokens.scope, tokens.scope])
    await changeUser(stage.database, 'default', user.id, { role: 'reader' })
    const today = 'knowledge:read visibility:internal'
    assert.deepEqual(await told(), [today, today])
  })

  /** Returns who revoked a resource, from the audit log. */
  const revocations = ({ database }: Stage, resourceId: string) =>
    database.queries
      .selectFrom('audit_log')
      .select(['resource_type', 'user_id', 'credential_id', 'client_id'])
      .where('resource_id', '=', resourceId)
      .where('action', '=', 'revoke')
      .execute()
  const grantOf = async ({ database }: Stage, clientId: string) =>
    (await store.listGrants(database.queries, 'default', { clientId }, Date.now()))[0].grant_id!

  test('the audit log says which client or which API key revoked a token', async () => {
    const { stage, person } = await setUp('revoker@x')
    const assistant = await Assistant.register(stage)
    const key = await stage.database.queries
      .selectFrom('api_keys')
      .select(['id', 'user_id'])
      .where('tenant_id', '=', 'default')
      .orderBy('created_at')
      .executeTakeFirstOrThrow()
    for (const [bearer, userId, credentialId] of [
      [undefined, null, assistant.id],
      [stage.adminKey, key.user_id, key.id],
    ] as const) {
      const { access_token: token } = await assistant.connect(person)
      const grantId = await grantOf(stage, assistant.id)
      const form = { token, client_id: assistant.id }
      assert.equal((await stage.send('POST', '/oauth/revoke', { form, bearer })).status, 200)
      assert.deepEqual(await revocations(stage, grantId), [
        { resource_type: 'oauth_grant', user_id: userId, credential_id: credentialId, client_id: assistant.id },
      ])
    }
  })

  test('the audit log has the revocation of a token that a client got for itself, once', async () => {
    const stage = stageOf()
    const client = await Assistant.register(stage, { registration: ITSELF })
    const own = { client_id: client.id, client_secret: client.secret }
    const { access_token: token } = (await client.token({ grant_type: 'client_credentials', ...own })).json
    for (let i = 0; i < 2; i++) {
      assert.equal((await stage.send('POST', '/oauth/revoke', { form: { token, ...own } })).status, 200)
    }
    assert.deepEqual(await revocations(stage, client.id), [
      { resource_type: 'oauth_token', user_id: null, credential_id: client.id, client_id: client.id },
    ])
  })

  test('a revocation that storage did not take is asked for again, and then ends the grant', async () => {
    const { stage, person } = await setUp('asked-again@x')
    const assistant = await Assistant.register(stage)
    const { access_token: token, refresh_token: refresh } = await assistant.connect(person)
    const revoke = () => stage.send('POST', '/oauth/revoke', { form: { token, client_id: assistant.id } })
    await sql`alter table audit_log rename to audit_log_away`.execute(stage.database.queries)
    const first = await revoke()
    await sql`alter table audit_log_away rename to audit_log`.execute(stage.database.queries)
    assert.ok(first.status >= 500, first.text)
    assert.equal((await revoke()).status, 200)
    const renewed = await assistant.token({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: assistant.id,
    })
    assert.equal(renewed.json.error, 'invalid_grant')
  })

  /**
   * Issues a token of the assistant's grant while `happen` runs.
   * @returns the token
   */
  const issueDuring = async (stage: Stage, assistant: Assistant, happen: (grantId: string) => Promise<unknown>) => {
    const grants = await store.listGrants(stage.database.queries, 'default', { clientId: assistant.id }, Date.now())
    const [grant] = grants
    const token = randomBytes(32).toString('base64url')
    const issued = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const end = Date.now() + 60_000
    const issuing = stage.database.write(async (tx) => {
      const row = { ...grant, kind: 'AccessToken', hash: hashSecret(token), expires_at: end }
      await store.putRecord(tx, { ...row, audience: 'https://knowledge.example/mcp' })
      assert.ok(await store.extendGrant(tx, 'default', grant.grant_id!, end))
      issued.resolve()
      await begun.promise
    })
    await issued.promise
    const happening = happen(grant.grant_id!)
    await writeWaits(stage.database)
    begun.resolve()
    await issuing
    await happening
    return token
  }

  test('a token issued while its grant is revoked ends with it', async () => {
    const { stage, person } = await setUp('crossing@x')
    const assistant = await Assistant.register(stage)
    await assistant.connect(person)
    const token = await issueDuring(stage, assistant, async (grantId) => {
      const path = `/api/knowledge/oauth-grants/${grantId}`
      assert.equal((await stage.send('DELETE', path, { bearer: stage.adminKey })).status, 204)
    })
    assert.equal(await statusOf(stage, token), 401)
  })

  test('a token issued while its user is disabled does not come back when the user is enabled', async () => {
    const { stage, user, person } = await setUp('overtaken@x')
    const assistant = await Assistant.register(stage)
    await assistant.connect(person)
    const disabled = (is: boolean) => changeUser(stage.database, 'default', user.id, { disabled: is })
    const token = await issueDuring(stage, assistant, () => disabled(true))
    assert.equal(await statusOf(stage, token), 401)
    await disabled(false)
    assert.equal(await statusOf(stage, token), 401)
  })

  test('a user with very many grants can be disabled, and each ended grant is in the audit log', async () => {
    const { stage, user } = await setUp('often@x')
    const { queries } = stage.database
    const count = 7_000
    const now = Date.now()
    const grant = (i: number) => ({
      tenant_id: 'default',
      kind: 'Grant',
      hash: `often-${i}`,
      payload: '{}',
      uid: null,
      grant_id: `often-${i}`,
      client_id: 'often',
      user_id: user.id,
      scopes: '',
      audience: null,
      consumed_at: null,
      created_at: now,
      expires_at: now + 60_000,
    })
    for (let i = 0; i < count; i += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, at) => grant(i + at))
      await queries.insertInto('oauth_records').values(rows).execute()
    }
    await changeUser(stage.database, 'default', user.id, { disabled: true })
    const revoked = queries.selectFrom('audit_log').select('id').where('resource_id', 'like', 'often-%')
    assert.equal((await revoked.where('action', '=', 'revoke').execute()).length, count)
  })

  test('a client’s grants end with it, each in the audit log, by whatever way it is removed', async () => {
    const { stage, person } = await setUp('ending-client@x')
    const ways = [
      (client: Assistant) =>
        stage.send('DELETE', `/api/knowledge/oauth-clients/${client.id}`, { bearer: stage.adminKey }),
      (client: Assistant) => stage.send('DELETE', `/oauth/register/${client.id}`, { bearer: client.managementToken }),
    ]
    for (const remove of ways) {
      const assistant = await Assistant.register(stage)
      await assistant.connect(person)
      const { queries } = stage.database
      const [grant] = await store.listGrants(queries, 'default', { clientId: assistant.id }, Date.now())
      assert.equal((await remove(assistant)).status, 204)
      const left = queries.selectFrom('oauth_records').select('kind').where('client_id', '=', assistant.id)
      assert.deepEqual(await left.execute(), [])
      const events = queries.selectFrom('audit_log').select('action').where('resource_id', '=', grant.grant_id)
      assert.deepEqual(
        (await events.orderBy('at').orderBy('id').execute()).map(({ action }) => action),
        ['create', 'revoke'],
      )
    }
  })

  test('a client removed while it gets a token has none afterwards', async () => {
    const stage = stageOf()
    const client = await Assistant.register(stage, { registration: ITSELF })
    const [deleted, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const removing = stage.database.write(async (tx) => {
      assert.ok(await clientStore.deleteClient(tx, 'default', client.id))
      deleted.resolve()
      await removed.promise
    })
    await deleted.promise
    const asking = actAs(stage, client, stage.adminKey)
    await writeWaits(stage.database)
    removed.resolve()
    await removing
    assert.equal((await asking).json.error, 'invalid_client')
  })

  test('a client removed while a person consents gets nothing', async () => {
    const { stage, person } = await setUp('consenting@x')
    const assistant = await Assistant.register(stage)
    const page = await person.goOn((await person.ask(assistant.query(pkce()))).page!)
    const [deleted, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const removing = stage.database.write(async (tx) => {
      assert.ok(await clientStore.deleteClient(tx, 'default', assistant.id))
      deleted.resolve()
      await removed.promise
    })
    await deleted.promise
    const consenting = person.consent(page, ['knowledge:read'])
    await writeWaits(stage.database)
    removed.resolve()
    await removing
    assert.equal((await consenting).status, 404)
    const grants = await store.listGrants(stage.database.queries, 'default', { clientId: assistant.id }, Date.now())
    assert.deepEqual(grants, [])
  })

  test('a database failure is not blamed on the application, and its cause is logged', async () => {
    const { stage, person } = await setUp('failing@x')
    const assistant = await Assistant.register(stage, { door: stage.lenient })
    const { refresh_token: token } = await assistant.connect(person)
    const rename = (from: string, to: string) =>
      sql`alter table oauth_records rename column ${sql.id(from)} to ${sql.id(to)}`.execute(stage.database.queries)
    await rename('payload', 'away')
    try {
      const { status, json } = await assistant.refresh(token)
      assert.deepEqual([status, json.detail?.[0].type], [500, 'internal'], JSON.stringify(json))
    } finally {
      await rename('away', 'payload')
    }
    assert.ok(stage.log.some((line) => line.includes('request failed') && line.includes('payload')))
    assert.equal((await assistant.refresh(token)).status, 200)
  })
}
