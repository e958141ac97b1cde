import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import * as clientStore from '../../src/identity/oauth/clients/client-store.ts'
import * as store from '../../src/identity/oauth/store.ts'
import { hashSecret } from '../../src/platform/random-secret.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { actAs, Assistant, ITSELF, statusOf } from './assistant.ts'
import { signedIn } from './person.ts'
import { pkce, type Stage } from './stage.ts'

/** What has ended stays ended, whatever happens at the same moment, and nothing outlives its origin. */
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
    const asked = { scope: registration.scope }
    const own = ['knowledge:read', 'visibility:workspace']
    const granted = await assistant.exchange(await assistant.code(person, proof, own, asked), proof)
    assert.equal(granted.scope, own.join(' '))
    // A person may also grant less than they have, and never more.
    const again = pkce()
    const less = ['knowledge:read', 'visibility:internal']
    const lower = await assistant.exchange(await assistant.code(person, again, less, asked), again)
    assert.equal(lower.scope, less.join(' '))
    const { page } = await person.ask(assistant.query(pkce(), asked))
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

  /** A token of the assistant's grant that is issued while something happens. @returns the token */
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
    await sleep(200)
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

  test('a client’s grants end with it, each in the audit log, whoever removes it', async () => {
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
    await sleep(200)
    removed.resolve()
    await removing
    assert.equal((await asking).json.error, 'invalid_client')
  })

  test('a client removed while somebody consents gets nothing', async () => {
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
    await sleep(200)
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
