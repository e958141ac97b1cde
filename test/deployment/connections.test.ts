import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { ServiceProcess } from '../durability/service-process.ts'
import { DATABASES } from '../support/databases.ts'
import { until } from '../support/patience.ts'

const POOL_MAX = 6
const postgres = DATABASES.find(({ name }) => name === 'PostgreSQL')

test('a process has as many connections for requests as its setting says', { skip: !postgres }, async (t) => {
  const place = await postgres!.create()
  const service = await ServiceProcess.start(place, { DATABASE_POOL_MAX: String(POOL_MAX) })
  const [holder, watcher] = [1, 2].map(() => new pg.Client({ connectionString: place.options.databaseUrl! }))
  await Promise.all([holder.connect(), watcher.connect()])
  t.after(async () => {
    await Promise.all([holder.end(), watcher.end()])
    await service.kill()
    await place.remove()
  })
  const blocked = async (): Promise<number> => {
    const { rows } = await watcher.query(
      "select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return Number(rows[0].n)
  }
  await holder.query('begin')
  await holder.query('lock table api_keys in access exclusive mode')
  const answers = Promise.all(
    Array.from({ length: 3 * POOL_MAX }, () => service.call('GET', '/api/knowledge/knowledge-entries?limit=1')),
  )
  await until(async () => (await blocked()) >= POOL_MAX, 'every connection waits')
  // More would come now, if there were more.
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.equal(await blocked(), POOL_MAX)
  await holder.query('rollback')
  assert.deepEqual(new Set((await answers).map(({ status }) => status)), new Set([200]))
})
