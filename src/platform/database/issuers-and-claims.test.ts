import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { type Database, openDatabase } from './database.ts'
import { knowledgeMigration } from './migrations/0001-knowledge.ts'
import { issuersAndClaimsMigration } from './migrations/0010-issuers-and-claims.ts'

onEachDatabase('keys and audit records of earlier versions', (kind) => {
  let place: TestDatabase
  let database: Database
  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await knowledgeMigration(database.portable.name).up(database.queries as never)
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  test('keys get their issuer from the audit record, and what a key had claimed moves to the claims', async () => {
    const { queries } = database
    const at = { created_at: 1 }
    for (const tenant_id of ['t', 'u']) {
      await queries
        .insertInto('tenants')
        .values({
          tenant_id,
          name: 'T',
          host: null,
          settings: '{}',
          embedding_model: null,
          watermark: 0,
          ...at,
        })
        .execute()
    }
    for (const id of ['first', 'by key', 'by session', 'by nobody noted']) {
      const key = { tenant_id: 't', id, name: id, hash: id, hint: id, scopes: 'tenant:admin', ...at }
      await queries.insertInto('api_keys').values(key).execute()
    }
    let number = 0
    const audit = (row: object) =>
      queries
        .insertInto('audit_log')
        .values({
          tenant_id: 't',
          id: String(++number),
          at: 1,
          action: 'create',
          resource_type: 'entry',
          resource_id: 'e',
          source: 'api',
          ...row,
        })
        .execute()
    const key = { resource_type: 'api_key' }
    await audit({ ...key, resource_id: 'first', source: 'cli' })
    await audit({ ...key, resource_id: 'by key', credential_id: 'first', user_id: 'ann', source: 'console' })
    await audit({ ...key, resource_id: 'by session', credential_id: 'a session', user_id: 'ann', source: 'console' })
    await audit({ credential_id: 'first', source: 'mcp', client_id: 'somebody' })
    await audit({ credential_id: 'a grant', source: 'mcp', client_id: 'its client' })
    // The same name in another tenant, where no key has it.
    await audit({ tenant_id: 'u', credential_id: 'first', source: 'console', client_id: 'its client' })
    await issuersAndClaimsMigration(database.portable.name).up(queries as never)

    const keys = await queries
      .selectFrom('api_keys')
      .select(['id', 'issuer_kind', 'issuer_id', 'issuer_user_id'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      keys.map((row) => Object.values(row)),
      [
        ['by key', 'key', 'first', 'ann'],
        ['by nobody noted', null, null, null],
        ['by session', 'session', 'a session', 'ann'],
        ['first', 'cli', null, null],
      ],
    )
    const records = await queries
      .selectFrom('audit_log')
      .select(['source', 'client_id', 'claimed_source', 'claimed_client_id'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      records.map((row) => Object.values(row)),
      [
        ['cli', null, null, null],
        ['api', null, 'console', null],
        ['console', null, null, null],
        ['mcp', null, null, 'somebody'],
        ['mcp', 'its client', null, null],
        ['console', 'its client', null, null],
      ],
    )
  })
})
