import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { keepingMigration } from './migrations/0012-keeping.ts'

onEachDatabase('languages of entries of earlier versions', (kind) => {
  let place: TestDatabase
  let database: Database
  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await migrate(database)
    for (const table of ['binned_entry_versions', 'binned_entries']) {
      await sql`drop table ${sql.table(table)}`.execute(database.queries)
    }
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  test('become canonical, and what is no language stays as it is', async () => {
    const { queries, portable } = database
    const named = { tenant_id: 't', created_at: 0 }
    const tenant = { name: 't', host: null, settings: '{}', embedding_model: null, watermark: 0 }
    await queries
      .insertInto('tenants')
      .values({ ...named, ...tenant })
      .execute()
    const category = { id: 'c', name: 'c', description: null, parent_id: null, sort_order: 0, updated_at: 0 }
    await queries
      .insertInto('categories')
      .values({ ...named, ...category })
      .execute()
    const languages = ['EN', 'de-at', 'de', 'en_US', 'sh', 'iw']
    for (const language of languages) {
      await queries
        .insertInto('entries')
        .values({
          ...named,
          id: language,
          language,
          type: 'knowledge',
          title: 't',
          content: 'c',
          summary: null,
          category_id: 'c',
          visibility: 'public',
          layer: null,
          tags: '[]',
          search_keywords: '[]',
          metadata: '{}',
          related_themes: null,
          translation_group_id: 'g',
          workspace_id: null,
          source: 'manual',
          source_reference: null,
          created_by_user_id: null,
          version: 1,
          embedding_model: null,
          expires_at: null,
          updated_at: 0,
          seq: 0,
        })
        .execute()
    }
    await keepingMigration(portable.name).up(queries as never)
    const rows = await queries.selectFrom('entries').select(['id', 'language']).execute()
    const now = new Map(rows.map(({ id, language }) => [id, language]))
    assert.deepEqual(
      languages.map((before) => now.get(before)),
      ['en', 'de-AT', 'de', 'en_US', 'sh', 'he'],
    )
  })
})
