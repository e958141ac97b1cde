import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { answerOf, plainSearch } from '../../../../test/support/search/plain-search.ts'
import { document } from '../../../../test/support/search/source.ts'
import { ValuedSource } from '../../../../test/support/search/valued-source.ts'
import type { SearchRequest } from '../../engine.ts'
import { RECENT_MS } from './index-budget.ts'
import { IndexHost } from './index-host.ts'

/** Most milliseconds of a rest. */
const REST_MAX_MS = 250
const HOUR_MS = 3_600_000
/** Texts of three batches. */
const IDS = Array.from({ length: 250 }, (_, n) => `b${String(n).padStart(3, '0')}`)

interface StageOptions {
  /** Processor time that the thread takes for each batch. */
  readonly workedMs?: number
  /** Time that passes while a batch is read. */
  readonly passedMs?: number
  readonly bytesMax?: number
}

/** A host whose replica of the tenant `t` rests after its first batch of texts, by timers that the test moves. */
async function restingStage(t: TestContext, options: StageOptions = {}) {
  const { workedMs = 0, passedMs = 0, bytesMax = 2 ** 30 } = options
  const source = new ValuedSource(DEFINITION)
  source.put(document('a', 'lamp'))
  const clock = { now: 0, worked: 0 }
  const limits = { bytesMax, tenantBytesMax: bytesMax }
  const host = new IndexHost([source], limits, {
    analyser: plainAnalyser,
    now: () => clock.now,
    processorMs: () => clock.worked,
  })
  const find = async (more: Partial<SearchRequest> = {}, tenantId = 't'): Promise<string[]> => {
    const version = { ...source.versionOf(), tenantId }
    const answer = await answerOf(host, { ...plainSearch(version, 'lamp'), limit: 1_000, ...more })
    return answer.hits.map(({ id }) => id).sort()
  }
  await find()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let passes = 0
  source.beforeTexts = () => {
    // A batch passes twice.
    if (passes++ % 2 === 0) {
      clock.now += passedMs
      clock.worked += workedMs
    }
    return Promise.resolve()
  }
  for (const id of IDS) source.put(document(id, 'lamp'))
  host.follow(source.versionOf())
  await turns()
  assert.ok(source.textsRead.length > 0 && source.textsRead.length < IDS.length, 'one batch is read')
  return { source, host, clock, find, texts: { watermark: source.watermark, waitMs: 60_000, isPartial: false } }
}

/** Waits until everything has happened that no timer holds up. */
async function turns(): Promise<void> {
  for (let n = 0; n < 200; n++) await new Promise((resolve) => setImmediate(resolve))
}

/** Moves the timers on. @returns whether texts were read then */
async function readsAfter(t: TestContext, source: ValuedSource, ms: number): Promise<boolean> {
  const before = source.textsRead.length
  t.mock.timers.tick(ms)
  await turns()
  return source.textsRead.length > before
}

test('between texts that no search waits for the thread rests as long as it has worked', async (t) => {
  const { source } = await restingStage(t, { workedMs: 40, passedMs: 40 })
  assert.equal(await readsAfter(t, source, 39), false)
  assert.equal(await readsAfter(t, source, 1), true)
})

test('a thread that waited for its processor or its database does not rest for that time', async (t) => {
  const { source } = await restingStage(t, { workedMs: 40, passedMs: HOUR_MS })
  assert.equal(await readsAfter(t, source, 39), false)
  assert.equal(await readsAfter(t, source, 1), true)
})

test('a rest has a bound, however long the batch before it took', async (t) => {
  const { source } = await restingStage(t, { workedMs: HOUR_MS, passedMs: HOUR_MS })
  assert.equal(await readsAfter(t, source, REST_MAX_MS - 1), false)
  assert.equal(await readsAfter(t, source, 1), true)
})

test('a search ends the rest', async (t) => {
  const { find, texts } = await restingStage(t, { workedMs: HOUR_MS })
  assert.deepEqual(await find({ texts }), ['a', ...IDS])
})

/** Returns the bytes of an index that rests, and of one that has every text. */
async function sizes(t: TestContext): Promise<{ readonly atRest: number; readonly whole: number }> {
  const { host, find, texts } = await restingStage(t, { workedMs: HOUR_MS })
  const atRest = host.status().bytes
  await find({ texts })
  t.mock.timers.reset()
  return { atRest, whole: host.status().bytes }
}

test('an index that rests makes room for one that is searched, and its run and its timer end', async (t) => {
  const { atRest, whole } = await sizes(t)
  const started = t.mock.method(globalThis, 'setTimeout')
  const { source, host, clock, find } = await restingStage(t, { workedMs: 40, bytesMax: whole + atRest / 2 })
  const cleared = t.mock.method(globalThis, 'clearTimeout')
  assert.equal(started.mock.callCount(), 0)
  clock.now += 2 * RECENT_MS
  assert.deepEqual(await find({}, 'u'), ['a', ...IDS])
  assert.deepEqual([host.status('t').indexes, host.status('u').indexes], [0, 1])
  assert.ok(cleared.mock.callCount() > 0, 'the timer is cleared')
  assert.equal(await readsAfter(t, source, REST_MAX_MS), false)
})
