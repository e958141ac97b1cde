import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { targetsOf } from '../composition/embedding-targets.ts'
import { createTenant } from '../composition/new-tenant.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { BOTH_ID, STATIC_ID } from './builtin/ids.ts'
import { enqueueJobs } from './job-store.ts'
import { activateModel, enqueueMissing, moveEmptyTenants } from './model-change.ts'
import { chooseModel, modelChosenAt, modelsOf, tenantsBehind } from './model-store.ts'
import { BUILTIN_IDS, installedModels, targetModel } from './target-model.ts'

const OUTSIDE = 'openai:m:default'
const BUILTIN = installedModels({ provider: 'builtin' }, BOTH_ID)
const PROVIDED = installedModels({ provider: 'openai' }, OUTSIDE)
/** Start of the process whose view is tested. */
const STARTED_AT = 1_000

onEachDatabase('the models of tenants', (kind) => {
  let place: TestDatabase
  let database: Database
  let model: string | null
  let choice: string | null

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await migrate(database)
    for (const id of ['one', 'other']) await createTenant(database, { id, name: id, host: null })
  })
  beforeEach(async () => {
    await database.queries.deleteFrom('embedding_jobs').execute()
    await database.queries.deleteFrom('entries').execute()
    await set({ model: null, choice: null, chosenAt: 0 })
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  const set = async (row: { model: string | null; choice: string | null; chosenAt: number }): Promise<void> => {
    ;({ model, choice } = row)
    await database.queries
      .updateTable('tenants')
      .set({ embedding_model: model, embedding_choice: choice, model_chosen_at: row.chosenAt })
      .where('tenant_id', '=', 'one')
      .execute()
  }
  const targetOfOne = async (installed = BUILTIN) =>
    (await tenantsBehind(database, installed, STARTED_AT)).find(({ tenantId }) => tenantId === 'one')?.target ?? null
  const jobs = () => database.queries.selectFrom('embedding_jobs').select(['item_id', 'model']).execute()

  test('are behind exactly where the rule names another model, unless a later process has decided', async () => {
    for (const installed of [BUILTIN, PROVIDED])
      for (const own of [null, OUTSIDE, 'openai:other:3', ...BUILTIN_IDS])
        for (const chosen of [null, ...BUILTIN_IDS])
          for (const chosenAt of [0, STARTED_AT + 1]) {
            await set({ model: own, choice: chosen, chosenAt })
            const target = targetModel({ model, choice }, installed)
            const isDecidedLater = chosen === null && own !== null && chosenAt > STARTED_AT
            const expected = target === own || isDecidedLater ? null : target
            assert.equal(await targetOfOne(installed), expected, JSON.stringify([installed, own, chosen, chosenAt]))
          }
  })

  test('that the tenant has chosen bind it to no process, so that each may move it once the choice is withdrawn', async () => {
    await set({ model: OUTSIDE, choice: STATIC_ID, chosenAt: STARTED_AT + 1 })
    const wanted = { tenantId: 'one', model: STATIC_ID, installed: PROVIDED }
    assert.equal(await activateModel(database, targetsOf(), wanted, STARTED_AT), true)
    assert.deepEqual(await modelsOf(database.queries, 'one'), { model: STATIC_ID, choice: STATIC_ID })
    assert.equal(await modelChosenAt(database.queries, 'one'), 0)
    await set({ model: STATIC_ID, choice: null, chosenAt: 0 })
    assert.equal(await targetOfOne(PROVIDED), OUTSIDE)
    assert.equal(await targetOfOne(BUILTIN), null)
  })

  test('that the tenant should have no more get no jobs, and are not activated', async () => {
    await set({ model: STATIC_ID, choice: BOTH_ID, chosenAt: 0 })
    await database.write((tx) => chooseModel(tx, 'other', STATIC_ID, 0))
    await addEntry(database, 'one')
    const wanted = { tenantId: 'one', model: BOTH_ID, installed: BUILTIN }
    assert.equal(await enqueueMissing(database, targetsOf(), wanted), 1)
    assert.equal(await activateModel(database, targetsOf(), wanted, STARTED_AT), false)
    await database.queries.deleteFrom('embedding_jobs').execute()
    await set({ model: STATIC_ID, choice: null, chosenAt: 0 })
    assert.equal(await enqueueMissing(database, targetsOf(), wanted), 0)
    assert.equal(await activateModel(database, targetsOf(), wanted, STARTED_AT), true)
    assert.deepEqual(await modelsOf(database.queries, 'one'), { model: STATIC_ID, choice: null })
    assert.deepEqual(await jobs(), [])
  })

  test('become the configured one for a tenant without items, which has no vectors to keep', async () => {
    const moved = async (startedAt = STARTED_AT): Promise<string | null> => {
      await moveEmptyTenants(database, targetsOf(), BUILTIN, startedAt)
      return (await modelsOf(database.queries, 'one')).model
    }
    await set({ model: STATIC_ID, choice: null, chosenAt: STARTED_AT + 1 })
    assert.equal(await moved(), STATIC_ID, 'a process that started later has decided')
    await set({ model: STATIC_ID, choice: STATIC_ID, chosenAt: 0 })
    assert.equal(await moved(), STATIC_ID, 'the tenant has chosen')
    await addEntry(database, 'one')
    await set({ model: STATIC_ID, choice: null, chosenAt: 0 })
    assert.equal(await moved(), STATIC_ID, 'there is an entry, and an update changes nobody’s model')
    await database.write((tx) => enqueueJobs(tx, 'one', 'entry', STATIC_ID, ['e']))
    await database.queries.deleteFrom('entries').execute()
    assert.equal(await moved(), BOTH_ID)
  })
})

/** Adds an entry without vectors. */
async function addEntry({ queries }: Database, tenantId: string): Promise<void> {
  await sql`
    insert into categories (tenant_id, id, name, sort_order, created_at, updated_at)
    values (${tenantId}, 'c', 'C', 0, 1, 1) on conflict do nothing`.execute(queries)
  await sql`
    insert into entries (tenant_id, id, type, title, content, category_id, visibility, language, tags, search_keywords,
      metadata, translation_group_id, source, version, created_at, updated_at, seq)
    values (${tenantId}, 'e', 'note', 'T', 'Text', 'c', 'internal', 'en', '[]', '[]', '{}', 'e', 'api', 1, 1, 1, 1)`.execute(
    queries,
  )
}
