import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueuedBatch, QueuedClick, QueuedSearch } from './queued.ts'
import { WriteBehind, type WriteBehindOptions, type WriteLog } from './write-behind.ts'
import { HANG_MS } from '../../../test/support/patience.ts'

/** So long that only the test decides when to write. */
const NEVER_MS = 1_000_000

function recorder(write: WriteLog, options: WriteBehindOptions = {}) {
  const counts: Record<string, number> = {}
  const add = (name: string, rows: number): void => {
    counts[name] = (counts[name] ?? 0) + rows
  }
  const behind = new WriteBehind(
    write,
    {
      written: (kind, rows) => add(`${kind} written`, rows),
      dropped: (kind, reason, rows) => add(`${kind} ${reason}`, rows),
    },
    { flushIntervalMs: NEVER_MS, ...options },
  )
  return { behind, counts }
}

const ok = { refusedSearches: 0, refusedClicks: 0 }
const search = (id: number) => ({ id: String(id) }) as QueuedSearch
const click = (id: number) => ({ id: String(id) }) as QueuedClick

test('rows arrive in order, in batches of at most 2,000, one batch at a time', async () => {
  const batches: QueuedBatch[] = []
  let running = 0
  const { behind, counts } = recorder(async (batch) => {
    assert.equal(++running, 1)
    await new Promise((resolve) => setImmediate(resolve))
    batches.push(batch)
    running--
    return ok
  })
  for (let i = 0; i < 5_000; i++) behind.search(search(i))
  for (let i = 0; i < 30; i++) behind.click(click(i))
  await behind.flush()
  assert.ok(batches.every((batch) => batch.searches.length <= 2_000 && batch.clicks.length <= 2_000))
  assert.deepEqual(
    batches.flatMap((batch) => batch.searches.map((row) => Number(row.id))),
    Array.from({ length: 5_000 }, (_, i) => i),
  )
  assert.equal(counts['search written'], 5_000)
  assert.equal(counts['click written'], 30)
  await behind.close(100)
})

test('rows that trickle in while a batch is written wait for the next flush', async () => {
  const batches: QueuedBatch[] = []
  const { behind } = recorder(async (batch) => {
    batches.push(batch)
    behind.search(search(2))
    await new Promise((resolve) => setImmediate(resolve))
    return ok
  })
  behind.search(search(1))
  await behind.flush()
  assert.deepEqual(
    batches.map((batch) => batch.searches),
    [[search(1)]],
  )
  await behind.close(100)
})

test('a failed batch is sent again unchanged, and nothing is lost', async () => {
  const sent: QueuedBatch[] = []
  const { behind, counts } = recorder(async (batch) => {
    sent.push(batch)
    if (sent.length < 3) throw new Error('away')
    return ok
  })
  behind.search(search(1))
  await behind.flush()
  behind.search(search(2))
  await behind.flush()
  await behind.flush()
  assert.equal(sent[0], sent[1])
  assert.equal(sent[1], sent[2])
  assert.deepEqual(sent[3].searches, [search(2)])
  assert.deepEqual(counts, { 'search written': 2, 'click written': 0 })
  await behind.close(100)
})

test('rows that find the queue full are counted as dropped, and adding never throws', async () => {
  const { behind, counts } = recorder(() => Promise.reject(new Error('away')), {
    pendingMax: 10,
    retryAfterMs: NEVER_MS,
  })
  for (let i = 0; i < 25; i++) behind.click(click(i))
  assert.deepEqual(counts, { 'click overflow': 15 })
  await behind.close(100)
  assert.deepEqual(counts, { 'click overflow': 15, 'click stopping': 10 })
})

test('rows the database refuses are counted apart from those it wrote', async () => {
  const { behind, counts } = recorder(async () => ({ refusedSearches: 1, refusedClicks: 2 }))
  behind.search(search(1))
  for (let i = 0; i < 5; i++) behind.click(click(i))
  await behind.flush()
  assert.deepEqual(counts, { 'search written': 0, 'click written': 3, 'search refused': 1, 'click refused': 2 })
  await behind.close(100)
})

test('closing writes the waiting rows', async () => {
  const { behind, counts } = recorder(async () => ok)
  behind.search(search(1))
  await behind.close(1_000)
  assert.equal(counts['search written'], 1)
})

test('closing does not wait for a hanging database, and counts the remaining rows as dropped', async () => {
  const { behind, counts } = recorder(() => new Promise(() => undefined))
  behind.search(search(1))
  behind.click(click(1))
  await behind.close(20)
  behind.search(search(2))
  assert.deepEqual(counts, { 'search stopping': 2, 'click stopping': 1 })
})

test('rows are written after a while without a call to flush', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { behind } = recorder(
    async () => {
      resolve()
      return ok
    },
    { flushIntervalMs: 5 },
  )
  behind.search(search(1))
  const keepAlive = setTimeout(() => undefined, HANG_MS)
  await promise
  clearTimeout(keepAlive)
  await behind.close(100)
})
