import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onEachDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { createTenant } from '../composition/new-tenant.ts'
import {
  claimJobs,
  countJobs,
  deleteJob,
  enqueueJobs,
  nextDueAt,
  postponeJob,
  refusedItems,
  renewJobs,
} from './job-store.ts'

const MODEL = 'openai:m:default'
const HOUR_MS = 3_600_000

onEachDatabase('embedding jobs', (kind) => {
  let place: TestDatabase
  let database: Database
  let second: Database

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    second = openDatabase(place.options)
    await migrate(database)
    for (const id of ['a', 'b', 'c']) await createTenant(database, { id, name: id, host: null })
  })
  beforeEach(() => database.queries.deleteFrom('embedding_jobs').execute())
  after(async () => {
    await Promise.all([database.close(), second.close()])
    await place.remove()
  })

  const enqueue = (tenantId: string, ...ids: string[]) =>
    database.write((tx) => enqueueJobs(tx, tenantId, 'entry', MODEL, ids))
  const claim = (limit = 10, afterTenant = '') => claimJobs(database, MODEL, afterTenant, limit)
  const names = (jobs: readonly { item_id: string }[]) => jobs.map((job) => job.item_id).sort()

  test('are claimed by one claimer each, and a claim is at most as large as asked', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `item-${i}`)
    await enqueue('a', ...ids)
    const itemIds: string[] = []
    const work = async (from: Database): Promise<void> => {
      for (;;) {
        const jobs = await claimJobs(from, MODEL, '', 7)
        if (jobs.length === 0) return
        assert.ok(jobs.length <= 7)
        itemIds.push(...names(jobs))
      }
    }
    await Promise.all([database, second, database, second].map(work))
    // A claimer may find nothing while another holds the lock; afterwards it gets what is free.
    await work(database)
    assert.deepEqual(itemIds.sort(), ids.sort())
  })

  test('are claimed from one tenant at a time, and tenants take turns', async () => {
    await enqueue('a', '1', '2', '3')
    await enqueue('c', '4')
    assert.deepEqual(names(await claim(2)), ['1', '2'])
    assert.deepEqual(names(await claim(2, 'a')), ['4'])
    assert.deepEqual(names(await claim(2, 'c')), ['3'])
    assert.deepEqual(await claim(2, 'a'), [])
  })

  test('are left alone if they are of other models', async () => {
    await enqueue('a', '1')
    assert.deepEqual(await claimJobs(database, 'openai:other:default', '', 10), [])
  })

  test('can be claimed again when their claimer shows no sign of life', async () => {
    await enqueue('a', '1')
    const jobs = await claim()
    assert.deepEqual(await claim(), [])
    assert.ok((await nextDueAt(database.queries, MODEL))! > Date.now(), 'a claimed job is not due')
    await database.queries
      .updateTable('embedding_jobs')
      .set({ claimed_until: Date.now() - 1 })
      .execute()
    await renewJobs(database, jobs)
    assert.deepEqual(await claim(), [], 'a sign of life keeps them')
    await database.queries
      .updateTable('embedding_jobs')
      .set({ claimed_until: Date.now() - 1 })
      .execute()
    assert.deepEqual(names(await claim()), ['1'])
  })

  test('wait after they were returned, count their attempts and record the error', async () => {
    await enqueue('a', '1', '2')
    const [one, two] = await claim()
    await database.write(async (tx) => {
      await postponeJob(tx, one, HOUR_MS - 0.5, 'refused', true)
      await postponeJob(tx, two, 0, 'down')
    })
    const counts = await countJobs(database.queries, 'a', MODEL)
    assert.deepEqual([counts.pending, counts.failing, counts.refused], [2, 2, 1])
    assert.deepEqual([...(await refusedItems(database.queries, 'a', 'entry', MODEL))], [one.item_id])
    const again = await claim()
    assert.deepEqual(
      again.map(({ item_id, attempts }) => [item_id, attempts]),
      [[two.item_id, 1]],
    )
    await database.write((tx) => deleteJob(tx, two))
    const due = (await nextDueAt(database.queries, MODEL))!
    assert.ok(due > Date.now() + HOUR_MS / 2 && due <= Date.now() + HOUR_MS)
  })

  test('start afresh when they are added again', async () => {
    await enqueue('a', '1')
    const [job] = await claim()
    await database.write((tx) => postponeJob(tx, job, HOUR_MS, 'refused', true))
    await enqueue('a', '1')
    const { pending, failing, refused, lastError } = await countJobs(database.queries, 'a', MODEL)
    assert.deepEqual([pending, failing, refused, lastError], [1, 0, 0, null])
    assert.deepEqual(names(await claim()), ['1'])
  })

  test('count as none if the tenant has no jobs', async () => {
    const { pending, failing, refused, lastError } = await countJobs(database.queries, 'b', MODEL)
    assert.deepEqual([pending, failing, refused, lastError], [0, 0, 0, null])
    assert.equal(await nextDueAt(database.queries, MODEL), null)
    assert.deepEqual(await claim(), [])
  })
})
