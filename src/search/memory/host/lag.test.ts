import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { answerOf, plainSearch } from '../../../../test/support/search/plain-search.ts'
import { document } from '../../../../test/support/search/source.ts'
import { ValuedSource } from '../../../../test/support/search/valued-source.ts'
import { until } from '../../../../test/support/patience.ts'
import { IndexHost } from './index-host.ts'
import { Lag } from './lag.ts'

const ROOMY = { bytesMax: 2 ** 30, tenantBytesMax: 2 ** 30 }

test('the oldest change that waits decides since when a replica is behind', () => {
  const lag = new Lag()
  assert.equal(lag.since, null)
  lag.noteArrived(5, 1_000)
  lag.noteArrived(5, 1_100)
  lag.noteArrived(7, 3_000)
  assert.equal(lag.since, 1_000)
  lag.noteReached(4)
  assert.equal(lag.since, 1_000)
  lag.noteReached(5)
  assert.equal(lag.since, 3_000)
  lag.noteReached(7)
  assert.equal(lag.since, null)
})

test('a replica that follows steady writes is behind by what it lacks, not since the writes began', () => {
  const lag = new Lag()
  for (let second = 0; second < 100; second++) {
    lag.noteArrived(10 * second + 10, 1_000 * second)
    if (second >= 3) lag.noteReached(10 * (second - 3) + 10)
  }
  assert.equal(lag.since, 97_000)
})

test('changes that arrive within a second wait since the first of them, until the last is there', () => {
  const lag = new Lag()
  for (let change = 1; change <= 10; change++) lag.noteArrived(change, 50 * change)
  lag.noteReached(9)
  assert.equal(lag.since, 50)
  lag.noteReached(10)
  assert.equal(lag.since, null)
})

function hostOf(source: ValuedSource, now: () => number): IndexHost {
  return new IndexHost([source], ROOMY, { analyser: plainAnalyser, now, freshWaitMs: 0 })
}

/** Returns the part of the status that says how far the indexes are behind. */
function behindOf(host: IndexHost, tenantId?: string) {
  const { documentsBehind, behind, behindMs, building, builtPercent } = host.status(tenantId)
  return { documentsBehind, behind, behindMs, building, builtPercent }
}

const UP_TO_DATE = { documentsBehind: 0, behind: 0, behindMs: 0, building: 0, builtPercent: 100 }

test('the status counts documents whose text waits, since the write, for their tenant and for all', async () => {
  let now = 0
  const source = new ValuedSource(DEFINITION)
  source.put(document('a', 'lamp'))
  const host = hostOf(source, () => now)
  await answerOf(host, plainSearch(source.versionOf(), 'lamp'))
  assert.deepEqual(behindOf(host), UP_TO_DATE)
  const { promise, resolve } = Promise.withResolvers<void>()
  source.beforeTexts = () => promise
  source.put(document('a', 'chair'))
  source.put(document('b', 'chair'))
  now = 1_000
  host.follow(source.versionOf())
  await until(() => host.status().documentsBehind === 2, 'the values are read')
  now = 4_500
  assert.deepEqual(behindOf(host), { ...UP_TO_DATE, documentsBehind: 2, behind: 1, behindMs: 3_500 })
  assert.deepEqual(behindOf(host, 't'), behindOf(host))
  assert.deepEqual(behindOf(host, 'other'), UP_TO_DATE)
  resolve()
  await until(() => host.status().behind === 0, 'the index has the texts')
  assert.deepEqual(behindOf(host), UP_TO_DATE)
})

test('the status tells which share of an index is built, and an index without documents lacks nothing', async () => {
  let now = 0
  const source = new ValuedSource(DEFINITION, 1)
  const host = hostOf(source, () => now)
  await answerOf(host, plainSearch(source.versionOf(), 'lamp'))
  assert.deepEqual(behindOf(host), UP_TO_DATE)
  for (const id of ['a', 'b', 'c', 'd']) source.put(document(id, 'lamp'))
  const { promise, resolve } = Promise.withResolvers<void>()
  let batches = 0
  source.beforeTexts = () => (batches++ < 1 ? Promise.resolve() : promise)
  const whole = answerOf(host, plainSearch(source.versionOf(), 'lamp'))
  await until(() => host.status().documents === 1, 'one document is read')
  now = 2_000
  const building = { documentsBehind: 3, behind: 1, behindMs: 2_000, building: 1, builtPercent: 25 }
  assert.deepEqual(behindOf(host), building)
  resolve()
  assert.equal((await whole).total, 4)
  await until(() => host.status().behind === 0, 'the index is built')
  assert.deepEqual(behindOf(host), UP_TO_DATE)
})
