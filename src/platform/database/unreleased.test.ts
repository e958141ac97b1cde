import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { nameMigrations } from '../../../test/support/unreleased.ts'
import { UNRELEASED_MIGRATIONS } from './migrations/unreleased.ts'
import { countRows } from './contents.ts'
import { type Database, openDatabase } from './database.ts'
import { appliedMigrations, MigrationError, migrate, pendingMigrations, requireUpdatable } from './migrate.ts'

onEachDatabase('a database of before the first release', (kind) => {
  let place: TestDatabase
  let one: Database
  let other: Database
  let current: readonly string[]

  before(async () => {
    place = await kind.create()
    one = openDatabase(place.options)
    other = openDatabase(place.options)
    current = await migrate(one)
    const tenant = { tenant_id: 't', name: 'T', host: null, settings: '{}', embedding_model: null, watermark: 7 }
    await one.queries
      .insertInto('tenants')
      .values({ ...tenant, created_at: 1 })
      .execute()
  })
  beforeEach(() => nameMigrations(one, UNRELEASED_MIGRATIONS))
  after(async () => {
    await one.close()
    await other.close()
    await place.remove()
  })

  const rows = async () => {
    const { kysely_migration: _names, ...counts } = await countRows(one.queries)
    return { counts, tenants: await one.queries.selectFrom('tenants').selectAll().execute() }
  }
  const names = async () => (await appliedMigrations(one.queries)).toSorted()

  test('gets the name of the schema once from processes that start together, and keeps its rows', async () => {
    const earlier = await rows()
    const applied = (await Promise.all([migrate(one), migrate(other)])).flat()
    assert.deepEqual([applied, await names()], [current, current])
    const [tenant] = earlier.tenants
    const counts = { ...earlier.counts, embedding_models: 0 }
    assert.deepEqual(await rows(), { counts, tenants: [{ ...tenant, embedding_choice: null }] })
    assert.equal(earlier.counts.tenants, 1)
    assert.deepEqual(await migrate(other), [])
  })

  test('lacks that name, which is seen without giving it', async () => {
    assert.deepEqual(await pendingMigrations(one), { applied: UNRELEASED_MIGRATIONS.length, pending: current })
    assert.deepEqual(await names(), UNRELEASED_MIGRATIONS)
    requireUpdatable(UNRELEASED_MIGRATIONS)
  })

  test('that has only some of its migrations is refused with the commit that has the others, and stays as it is', async () => {
    for (const some of [UNRELEASED_MIGRATIONS.slice(0, 1), UNRELEASED_MIGRATIONS.slice(0, -1)]) {
      await nameMigrations(one, some)
      const earlier = await rows()
      for (const attempt of [migrate, pendingMigrations, async () => requireUpdatable(some)])
        await assert.rejects(attempt(one), (error: unknown) => {
          assert.ok(error instanceof MigrationError)
          assert.match(error.message, /older than .* \(git checkout [\da-f]{40}, npm start\)/)
          return true
        })
      assert.deepEqual([await names(), await rows()], [some, earlier])
    }
  })

  test('that has others beside them is newer', async () => {
    for (const beside of [UNRELEASED_MIGRATIONS, UNRELEASED_MIGRATIONS.slice(0, -1), []]) {
      const all = [...beside, '0031-later']
      await nameMigrations(one, all)
      await assert.rejects(migrate(one), { name: 'MigrationError', message: /newer than this program, .*0031-later/ })
      assert.deepEqual(await names(), all)
    }
  })

  test('that has the schema by both names is refused', async () => {
    const all = ['0001-schema', ...UNRELEASED_MIGRATIONS]
    await nameMigrations(one, all)
    await assert.rejects(migrate(one), { name: 'MigrationError', message: /changed by hand/ })
    assert.deepEqual(await names(), all.toSorted())
  })
})
