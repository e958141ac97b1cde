import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../../../test/support/databases.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { PlannerStatistics } from './planner-statistics.ts'

onEachDatabase('statistics for the planner', (kind) => {
  let place: TestDatabase
  let database: Database

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await migrate(database)
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  const analysed = async () => {
    const { rows } = await sql<{ relname: string }>`
      select relname from pg_stat_user_tables where analyze_count > 0 order by relname`.execute(database.queries)
    return rows.map((row) => row.relname)
  }

  test('are renewed after 1,000 new products, and do not wait for a lock on the table', async () => {
    const statistics = new PlannerStatistics(database)
    await statistics.created(999)
    if (kind.name === 'SQLite') return statistics.created(1)
    assert.deepEqual(await analysed(), [])
    await database.write(async (tx) => {
      // A vacuum holds this lock, and it may take hours.
      await sql`lock table products in share update exclusive mode`.execute(tx)
      await statistics.created(1)
    })
    assert.deepEqual(await analysed(), ['product_vectors'])
  })
})
