import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../../test/support/patience.ts'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  EngineUnavailable,
  IndexBuilding,
  type IndexChange,
  IndexRefused,
  type IndexSource,
  type IndexVersion,
  type RefusalReason,
  type SearchRequest,
} from '../../engine.ts'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { type MemoryLimits, RECENT_MS } from './index-budget.ts'
import { IndexHost } from './index-host.ts'
import type { IndexEvent } from '../index/index-event.ts'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { document } from '../../../../test/support/search/source.ts'
import { answerOf, plainSearch } from '../../../../test/support/search/plain-search.ts'
import { type Batches, valuesOf } from '../../../../test/support/search/values.ts'

interface Read {
  readonly version: IndexVersion
  readonly after: number
}

interface RecordedSource {
  readonly source: IndexSource
  /** The reads of whole documents. */
  readonly reads: Read[]
  /** The reads of values. */
  readonly valueReads: Read[]
}

/** Makes a source that answers as the test says, and records its reads. */
function sourceOf(answer: (read: Read) => Batches): RecordedSource {
  const reads: Read[] = []
  const valueReads: Read[] = []
  const values = valuesOf((version, after) => answer({ version, after }))
  const source: IndexSource = {
    definition: DEFINITION,
    async *changes(version, after) {
      reads.push({ version, after })
      yield* answer({ version, after })
    },
    values: {
      ...values,
      changes(version, after) {
        valueReads.push({ version, after })
        return values.changes(version, after)
      },
      // Answers without the test's changes, since a test may hold these up or let them fail.
      count: () => Promise.resolve(1),
    },
  }
  return { source, reads, valueReads }
}

function requestOf(tenantId: string, watermark: number, model: string | null = null): SearchRequest {
  return { ...plainSearch({ tenantId, index: 'things', model, watermark }, 'lamp'), limit: 100 }
}

async function search(host: IndexHost, request: SearchRequest): Promise<string[]> {
  const answer = await answerOf(host, request)
  return answer.hits.map((hit) => hit.id).sort()
}

function put(seq: number, id: string, title = 'lamp'): IndexChange {
  return { seq, put: document(id, title) }
}

const ROOMY = limitsOf(2 ** 30)

/** Returns limits; by default one tenant may use all memory. */
function limitsOf(bytesMax: number, tenantBytesMax = bytesMax): MemoryLimits {
  return { bytesMax, tenantBytesMax }
}

test('searches of one tenant that arrive together share one catch-up, to the highest of their watermarks', async () => {
  const { source, reads, valueReads } = sourceOf(() => [[put(1, 'a'), put(2, 'b'), put(3, 'c')]])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  const answers = await Promise.all([1, 3, 2].map((watermark) => search(host, requestOf('t', watermark))))
  assert.deepEqual(answers, [
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  await search(host, requestOf('t', 3))
  const startsOf = (list: readonly Read[]): number[] => list.map(({ after }) => after)
  assert.deepEqual([startsOf(reads), startsOf(valueReads)], [[0], [3]])
})

test('of tenants that others hold, what is at rest is given back, and what is being built later', async () => {
  const begun = Promise.withResolvers<void>()
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const { source } = sourceOf(async function* ({ version: { tenantId } }) {
    if (tenantId === 'building') {
      begun.resolve()
      await gate
    }
    yield [put(1, 'a')]
  })
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  for (const tenantId of ['ours', 'theirs']) await search(host, requestOf(tenantId, 1))
  const building = search(host, requestOf('building', 1))
  await begun.promise
  const isOurs = (tenantId: string): boolean => tenantId === 'ours'
  assert.equal(host.keepOnly(isOurs), false)
  assert.equal(host.status().indexes, 2)
  release()
  assert.deepEqual(await building, ['a'])
  assert.equal(host.keepOnly(isOurs), true)
  assert.equal(host.status().indexes, 1)
  assert.equal(host.status('ours').documents, 1)
})

test('a search that needs no new change reads nothing', async () => {
  const { source, reads, valueReads } = sourceOf(() => [[put(1, 'a')]])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  assert.deepEqual(await search(host, requestOf('t', 0)), [])
  assert.deepEqual([reads.length, valueReads.length], [0, 0])
  await search(host, requestOf('t', 1))
  await search(host, requestOf('t', 1))
  assert.deepEqual([reads.length, valueReads.length], [1, 1])
})

test('changes up to a watermark are read even if one beyond it was already applied', async () => {
  let isBuilding = true
  const { source, reads, valueReads } = sourceOf(() => {
    const changes = isBuilding ? [put(5, 'a')] : [put(3, 'b'), put(5, 'a')]
    isBuilding = false
    return [changes]
  })
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  await search(host, requestOf('t', 1))
  assert.deepEqual(await search(host, requestOf('t', 5)), ['a', 'b'])
  assert.deepEqual(
    [reads, valueReads].map((list) => list.map(({ after }) => after)),
    [[0], [1]],
  )
})

test('a search that waits too long for an index is told how far it is, and is answered once the index is there', async () => {
  let now = 0
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const { source } = sourceOf(async function* () {
    yield [put(1, 'a')]
    now = 2_000
    await gate
    yield [put(4, 'b')]
  })
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser, buildWaitMs: 5_000, now: () => now })
  const building = (error: unknown): boolean => {
    assert.ok(error instanceof IndexBuilding)
    assert.deepEqual([error.percent, error.retryAfterMs], [25, 6_000])
    const { details, retryAfterSeconds } = error.toFault()
    assert.equal(details[0].msg, 'Search index is being built, 25 percent are done, try again')
    assert.equal(retryAfterSeconds, 6)
    return true
  }
  // The build takes six seconds more, so no search waits until its five seconds are over.
  await assert.rejects(search(host, requestOf('t', 4)), building)
  await assert.rejects(search(host, requestOf('t', 4)), building)
  const warmed = new Promise((resolve) => {
    host.submit({ version: requestOf('t', 4).version, request: null, settle: resolve })
  })
  release()
  assert.equal(await warmed, null, 'a job without a search waits until the index is built')
  assert.deepEqual(await search(host, requestOf('t', 4)), ['a', 'b'])
})

test('a search waits for an index of which nothing is known, as long as it may', async () => {
  let now = 0
  let looks = 0
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const { source } = sourceOf(async function* () {
    await gate
    yield [put(1, 'a')]
  })
  const host = new IndexHost([source], ROOMY, {
    analyser: plainAnalyser,
    buildWaitMs: 5_000,
    now: () => (looks++, now),
  })
  const waiting = search(host, requestOf('t', 1))
  let hasEnded = false
  void waiting.catch(() => undefined).finally(() => (hasEnded = true))
  now = 4_900
  // The host has looked at the clock.
  const seen = looks
  await until(() => looks > seen + 1, 'the host looks whether the time is over')
  assert.equal(hasEnded, false)
  now = 5_000
  await assert.rejects(waiting, { name: 'IndexBuilding', percent: 0, retryAfterMs: 60_000 })
  release()
  assert.deepEqual(await search(host, requestOf('t', 1)), ['a'])
})

test('a source that fails halfway fails only that search, and its changes are read again', async () => {
  let isBroken = true
  const { source, reads } = sourceOf(function* ({ after }) {
    if (after < 1) yield [put(1, 'a')]
    if (isBroken) throw new Error('away')
    yield [put(2, 'b')]
  })
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  await assert.rejects(search(host, requestOf('t', 1)), EngineUnavailable)
  isBroken = false
  assert.deepEqual(await search(host, requestOf('t', 1)), ['a', 'b'])
  assert.equal(reads.length, 2)
})

test('a document whose vectors have a wrong size is counted and found by words, one that cannot be read is left out', async () => {
  const broken = { ...document('b', 'lamp'), passages: [{ vector: Float32Array.of(1), start: 0, end: 1 }] }
  const good = { ...document('a', 'lamp'), passages: [{ vector: Float32Array.of(1, 0), start: 0, end: 1 }] }
  let change: IndexChange = { seq: 2, put: broken }
  const { source } = sourceOf(({ after }) => (after < 1 ? [[{ seq: 1, put: good }], [change]] : [[change]]))
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  assert.deepEqual(await search(host, requestOf('t', 2)), ['a', 'b'])
  assert.deepEqual([host.status().unreadable, host.status().passages], [1, 1])
  change = { seq: 3, unreadable: 'b' }
  assert.deepEqual(await search(host, requestOf('t', 3)), ['a'])
  assert.equal(host.status().unreadable, 1)
  change = { seq: 4, put: { ...broken, passages: good.passages } }
  assert.deepEqual(await search(host, requestOf('t', 4)), ['a', 'b'])
  assert.equal(host.status().unreadable, 0)
})

test('documents whose rows cannot be read are counted from the build on, and found once their rows can be read', async () => {
  const changes: IndexChange[] = [put(1, 'a'), { seq: 2, unreadable: 'b' }]
  const { source } = sourceOf(() => [changes])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  assert.deepEqual(await search(host, requestOf('t', 2)), ['a'])
  assert.equal(host.status().unreadable, 1)
  changes.push({ seq: 3, unreadable: 'c' })
  assert.deepEqual(await search(host, requestOf('t', 3)), ['a'])
  assert.deepEqual([host.status().unreadable, host.status().behind], [2, 0])
  changes.push(put(4, 'b'), put(5, 'c'))
  assert.deepEqual(await search(host, requestOf('t', 5)), ['a', 'b', 'c'])
  assert.equal(host.status().unreadable, 0)
})

test('an index whose documents all get vectors of another size is built anew with theirs, and by words it answers any vector', async () => {
  const sized = (seq: number, id: string, size: number): IndexChange => ({
    seq,
    put: { ...document(id, 'lamp'), passages: [{ vector: new Float32Array(size).fill(1), start: 0, end: 1 }] },
  })
  let changes = [sized(1, 'a', 2), sized(2, 'b', 2)]
  const { source, reads } = sourceOf(({ after }) => [changes.filter(({ seq }) => seq > after)])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  const requestFor = (watermark: number, mode: SearchRequest['mode'], size: number): SearchRequest => {
    return { ...requestOf('t', watermark), mode, vector: new Float32Array(size).fill(1) }
  }
  assert.deepEqual(await search(host, requestFor(2, 'semantic', 2)), ['a', 'b'])
  assert.deepEqual(await search(host, requestFor(2, 'keyword', 3)), ['a', 'b'])
  await assert.rejects(search(host, requestFor(2, 'semantic', 3)), EngineUnavailable)
  changes = [sized(2, 'b', 2), sized(3, 'a', 3)]
  assert.deepEqual(await search(host, requestFor(3, 'semantic', 2)), ['b'])
  assert.equal(host.status().unreadable, 1)
  changes = [sized(3, 'a', 3), sized(4, 'b', 3)]
  assert.deepEqual(await search(host, requestFor(4, 'semantic', 3)), ['a', 'b'])
  assert.deepEqual([host.status().unreadable, host.status().indexes], [0, 1])
  assert.deepEqual(
    reads.map(({ after }) => after),
    [0, 0],
  )
})

test('searches that wait for a dropped tenant are answered by a new replica', async () => {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const reading: (() => void)[] = []
  const hasBegun = new Promise<void>((resolve) => reading.push(resolve))
  const { source, reads } = sourceOf(async function* () {
    reading[0]()
    yield [put(1, 'a')]
    await gate
    yield [put(2, 'b')]
  })
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  const waiting = search(host, requestOf('t', 2))
  await hasBegun
  void host.drop('t')
  release()
  assert.deepEqual(await waiting, ['a', 'b'])
  assert.equal(reads.length, 2)
  assert.equal(host.status().indexes, 1)
})

test('a search that arrives together with a drop is answered', async () => {
  const { source } = sourceOf(() => [[put(1, 'a')]])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  const waiting = search(host, requestOf('t', 1))
  void host.drop('t')
  assert.deepEqual(await waiting, ['a'])
})

test('a first document with a wrong vector size does not decide the size for the others', async () => {
  const sized = (id: string, ...vectors: Float32Array[]) => ({
    ...document(id, 'lamp'),
    passages: vectors.map((vector) => ({ vector, start: 0, end: 1 })),
  })
  const mixed = sized('mixed', Float32Array.of(1), Float32Array.of(1, 0))
  const { source } = sourceOf(() => [
    [
      { seq: 1, put: mixed },
      { seq: 2, put: sized('a', Float32Array.of(1, 0)) },
    ],
  ])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  assert.deepEqual(await search(host, { ...requestOf('t', 2), mode: 'semantic', vector: Float32Array.of(1, 0) }), ['a'])
  assert.equal(host.status().unreadable, 1)
})

test("a new model's replica is built from the start, and then the old one is dropped", async () => {
  const { source, reads } = sourceOf(() => [[put(1, 'a')]])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  await search(host, requestOf('t', 1, 'old'))
  await search(host, requestOf('t', 1, 'new'))
  assert.deepEqual(
    reads.map(({ version, after }) => [version.model, after]),
    [
      ['old', 0],
      ['new', 0],
    ],
  )
  assert.equal(host.status().indexes, 1)
  await search(host, requestOf('t', 1, 'new'))
  assert.equal(reads.length, 2)
})

/** Returns a text with words that the texts of other numbers lack. */
function longText(n: number): string {
  return `lamp ${Array.from({ length: 100 }, (_, i) => `x${n}y${i}`).join(' ')}`
}

/** Returns a function that collects garbage, so that only memory in use is left. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

/** Bytes by which the heap differs between two collections without any work. */
const HEAP_NOISE_BYTES = 64 * 1_024

/**
 * Returns the bytes of heap in use, once they are stable: the memory of earlier tests is free only some turns later.
 */
async function usedHeap(collect: () => void): Promise<number> {
  let used = Infinity
  for (let stable = 0; stable < 3;) {
    await sleep(20)
    collect()
    const { heapUsed } = process.memoryUsage()
    stable = heapUsed < used - HEAP_NOISE_BYTES ? 0 : stable + 1
    used = Math.min(used, heapUsed)
  }
  return used
}

/** Returns a few hundred documents, about half a megabyte. */
function load(tenantId: string): IndexChange[][] {
  return [Array.from({ length: 400 }, (_, i) => put(1, `${tenantId}${i}`, `lamp ${tenantId}word${i} other${i}`))]
}

/** Returns the bytes that `load` takes for one tenant. */
async function loadBytes(): Promise<number> {
  const { source } = sourceOf(({ version }) => load(version.tenantId))
  const probe = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  await search(probe, requestOf('x', 1))
  return probe.status().bytes
}

const isRefused = (reason: RefusalReason) => (error: unknown) =>
  error instanceof IndexRefused && error.reason === reason

test('over budget the least recently used tenant is dropped, and built again when it is searched', async () => {
  const { source, reads } = sourceOf(({ version }) => load(version.tenantId))
  const budget = (await loadBytes()) * 10.5
  const host = new IndexHost([source], limitsOf(budget), { analyser: plainAnalyser })
  for (const tenantId of 'abcdefghij'.split('')) await search(host, requestOf(tenantId, 1))
  reads.length = 0
  for (const tenantId of ['a', 'k', 'a', 'b', 'a']) await search(host, requestOf(tenantId, 1))
  assert.deepEqual(
    reads.map(({ version }) => version.tenantId),
    ['k', 'b'],
  )
  const { indexes, bytes } = host.status()
  assert.ok(indexes === 10 && bytes <= budget)
})

test('a tenant that exceeds its bound is searched without its newest documents, and other tenants stay', async () => {
  const bytes = await loadBytes()
  const { source, reads } = sourceOf(function* ({ version }) {
    if (version.tenantId !== 'greedy') yield* load(version.tenantId)
    else for (let seq = 1; seq <= 400; seq++) yield [put(seq, `g${seq}`, `lamp ${longText(seq)}`)]
  })
  const host = new IndexHost([source], limitsOf(20 * bytes, 2 * bytes), { analyser: plainAnalyser })
  await search(host, requestOf('modest', 1))
  const found = await search(host, requestOf('greedy', 400))
  assert.ok(found.length > 0 && found.includes('g1'))
  const { documents, leftOut, bytes: taken } = host.status('greedy')
  assert.equal(documents + leftOut, 400)
  assert.ok(leftOut > 0 && taken <= 2 * bytes)
  assert.equal((await search(host, requestOf('modest', 1))).length, 100)
  assert.equal(reads.length, 2)
})

test('the replicas of all indexes of a tenant count together', async () => {
  const bytes = await loadBytes()
  const { source } = sourceOf(({ version }) => load(version.tenantId))
  const others: IndexSource = { ...source, definition: { ...DEFINITION, name: 'others' } }
  const host = new IndexHost([source, others], limitsOf(20 * bytes, 1.5 * bytes), { analyser: plainAnalyser })
  const request = requestOf('t', 1)
  await search(host, request)
  const second = { ...request, version: { ...request.version, index: 'others' } }
  assert.ok((await search(host, second)).length > 0)
  // A copy of what is left takes memory until it replaces the segments.
  await host.settled()
  const { leftOut, bytes: taken } = host.status('t')
  assert.ok(leftOut > 0 && taken <= 1.5 * bytes, `${leftOut} are left out, ${taken} of ${1.5 * bytes} bytes are taken`)
  assert.equal((await search(host, request)).length, 100)
  await search(host, { ...second, version: { ...second.version, tenantId: 'u' } })
  assert.equal(host.status('u').leftOut, 0)
})

test('an index that outgrows its bound change by change leaves documents out', async () => {
  const bytes = await loadBytes()
  let watermark = 10
  const { source } = sourceOf(({ after }) => [
    Array.from({ length: watermark - after }, (_, i) => put(after + i + 1, `d${after + i}`, longText(after + i))),
  ])
  const host = new IndexHost([source], limitsOf(20 * bytes, 4 * bytes), { analyser: plainAnalyser })
  for (; watermark < 1_000; watermark += 10) await search(host, requestOf('t', watermark))
  const { documents, leftOut, bytes: taken } = host.status('t')
  assert.ok(documents > 20 && leftOut > 0 && documents + leftOut === 990, `${documents} and ${leftOut}`)
  assert.ok(taken <= 4 * bytes)
})

test('a single document that would exceed the bound is left out before it is stored', async () => {
  const bytes = await loadBytes()
  const words = Array.from({ length: 40_000 }, (_, i) => `w${i.toString(36)}`).join(' ')
  const { source } = sourceOf(() => [[put(1, 'a'), put(2, 'b', words)]])
  const host = new IndexHost([source], limitsOf(20 * bytes, bytes), { analyser: plainAnalyser })
  assert.deepEqual(await search(host, requestOf('t', 2)), ['a'])
  assert.deepEqual(host.status('t').leftOutDocuments, [{ index: 'things', id: 'b', owner: null }])
  assert.ok(host.status('t').bytes <= bytes)
  assert.ok(host.reservedBytes < 2 ** 20)
})

test('the room on the heap bounds a tenant just like all memory does', async () => {
  const bytes = await loadBytes()
  const { source } = sourceOf(({ version }) => load(version.tenantId))
  const limits = { bytesMax: 20 * bytes, tenantBytesMax: 10 * bytes, heapBytesMax: bytes / 20 }
  const host = new IndexHost([source], limits, { analyser: plainAnalyser })
  await assert.rejects(search(host, requestOf('t', 1)), isRefused('tenant'), 'not even an empty index fits')
})

test('two replicas that do not fit together do not displace each other: the second waits until the first is idle', async () => {
  const bytes = await loadBytes()
  const clock = { ms: 0 }
  const { source, reads } = sourceOf(({ version }) => load(version.tenantId))
  const options = { analyser: plainAnalyser, now: () => clock.ms }
  const host = new IndexHost([source], limitsOf(1.5 * bytes), options)
  await search(host, requestOf('a', 1))
  clock.ms += RECENT_MS + 1
  await search(host, requestOf('b', 1))
  // Only now does the host know how much each of them takes.
  for (let i = 0; i < 5; i++) await assert.rejects(search(host, requestOf('a', 1)), isRefused('crowded'))
  assert.equal((await search(host, requestOf('b', 1))).length, 100)
  assert.equal(reads.filter(({ version }) => version.tenantId === 'b').length, 1)
  clock.ms += RECENT_MS + 1
  assert.equal((await search(host, requestOf('a', 1))).length, 100)
})

test('a small tenant in use stays while larger ones come and go', async () => {
  const bytes = await loadBytes()
  const clock = { ms: 0 }
  const { source, reads } = sourceOf(({ version }) =>
    version.tenantId === 'small' ? [[put(1, 'a')]] : load(version.tenantId),
  )
  const options = { analyser: plainAnalyser, now: () => clock.ms }
  const host = new IndexHost([source], limitsOf(2.5 * bytes), options)
  for (let i = 0; i < 20; i++) {
    clock.ms += 4_000
    assert.deepEqual(await search(host, requestOf('small', 1)), ['a'])
    await search(host, requestOf(`big${i % 5}`, 1)).catch((error: unknown) => assert.ok(isRefused('crowded')(error)))
    assert.ok(host.status().bytes <= 2.5 * bytes)
  }
  assert.equal(reads.filter(({ version }) => version.tenantId === 'small').length, 1)
})

test('small tenants that do not fit together are all served, the one that was searched longest ago making room', async () => {
  const bytes = await loadBytes()
  const { source } = sourceOf(({ version: { tenantId } }) =>
    tenantId === 'fuller' ? ['a', 'b', 'c'].flatMap((part) => load(`fuller-${part}-`)) : load(tenantId),
  )
  const budget = 30 * bytes
  const host = new IndexHost([source], limitsOf(budget), { analyser: plainAnalyser, now: () => 0 })
  const tenants = [...Array.from({ length: 40 }, (_, i) => `t${i}-`), 'fuller']
  for (const tenantId of [...tenants, ...tenants]) {
    assert.equal((await search(host, requestOf(tenantId, 1))).length, 100)
    assert.ok(host.status().bytes <= budget + bytes)
  }
})

test('when the heap is nearly full, the growing replica is given up and complete ones stay', async () => {
  let isShort = false
  const { source } = sourceOf(async function* ({ version }) {
    if (version.tenantId === 'small') {
      yield [put(1, 'a')]
      return
    }
    for (let seq = 1; seq <= 5_000; seq++) {
      isShort = seq > 200
      yield [put(seq, `d${seq}`, longText(seq))]
    }
  })
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser, isHeapShort: () => isShort })
  await search(host, requestOf('small', 1))
  await assert.rejects(search(host, requestOf('big', 5_000)), isRefused('crowded'))
  isShort = false
  assert.equal(host.status().indexes, 1)
  assert.deepEqual(await search(host, requestOf('small', 1)), ['a'])
})

test("another tenant's index is built and answers before a long build has ended", async () => {
  let isOver = false
  const { source } = sourceOf(function* ({ version }) {
    if (version.tenantId === 'small') {
      yield [put(1, 'a')]
      return
    }
    for (let seq = 1; seq <= 2_000; seq += 100) {
      yield Array.from({ length: 100 }, (_, i) => put(seq + i, `d${seq + i}`, longText(seq + i)))
    }
    isOver = true
  })
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  const long = search(host, requestOf('big', 2_000))
  assert.deepEqual(await search(host, requestOf('small', 1)), ['a'])
  assert.equal(isOver, false)
  await long
})

test('the reported size of indexes is the memory they take', async () => {
  const { source } = sourceOf(() => [Array.from({ length: 4_000 }, (_, i) => put(i + 1, `d${i}`, longText(i)))])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  const collect = collector()
  const heapBefore = await usedHeap(collect)
  const before = process.memoryUsage()
  await search(host, requestOf('t', 4_000))
  await host.settled()
  const heap = (await usedHeap(collect)) - heapBefore
  const after = process.memoryUsage()
  const { bytes, heapBytes } = host.size
  assert.ok(heapBytes > 0.8 * heap && heapBytes < 1.6 * heap, `${heapBytes} bytes of heap said, ${heap} taken`)
  assert.ok(bytes - heapBytes > 0 && bytes >= after.arrayBuffers - before.arrayBuffers)
})

test('memory of dropped tenants is used again', async () => {
  const vector = Float32Array.from({ length: 256 }, (_, i) => i)
  const { source } = sourceOf(({ version }) => [
    Array.from({ length: 300 }, (_, i) => ({
      seq: 1,
      put: { ...document(`${version.tenantId}${i}`, 'lamp'), passages: [{ vector, start: 0, end: 1 }] },
    })),
  ])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  await search(host, requestOf('first', 1))
  const { bytes } = host.status()
  for (let i = 0; i < 20; i++) {
    void host.drop(i === 0 ? 'first' : `t${i - 1}`)
    await search(host, requestOf(`t${i}`, 1))
  }
  assert.equal(host.status().indexes, 1)
  assert.ok(host.status().bytes < bytes * 1.1)
  assert.ok(host.reservedBytes < 4 * bytes + 4 * 2 ** 20)
})

/** Makes a host whose memory for vectors is small; each tenant has `documents` of 256 dimensions. */
function crampedHost(documents: number, arenaBytesMax: number): { host: IndexHost; evicted: () => number } {
  const vectorOf = (i: number): Float32Array => Float32Array.from({ length: 256 }, (_, at) => Math.sin(i * 7 + at + 1))
  const { source } = sourceOf(({ version }) => [
    Array.from({ length: documents }, (_, i) => ({
      seq: 1,
      put: { ...document(`${version.tenantId}${i}`, 'lamp'), passages: [{ vector: vectorOf(i), start: 0, end: 1 }] },
    })),
  ])
  let evictions = 0
  const onEvent = ({ kind }: IndexEvent): void => {
    if (kind === 'evicted') evictions++
  }
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser, arenaBytesMax, onEvent })
  return { host, evicted: () => evictions }
}

test('when the memory for vectors is at its end, idle tenants make room, and are built again when they are searched', async () => {
  const bytesMax = 4 * 2 ** 20
  const { host, evicted } = crampedHost(400, bytesMax)
  for (const tenantId of 'abcdefghijab'.split('')) {
    assert.equal((await search(host, requestOf(tenantId, 1))).length, 100)
  }
  assert.ok(evicted() > 0)
  assert.ok(host.status().indexes >= 2, `${host.status().indexes} are left`)
  assert.ok(host.reservedBytes <= bytesMax)
})

test('a search by meaning that finds no memory for vectors left is answered once an idle tenant has made room', async () => {
  const { host, evicted } = crampedHost(16, 2 ** 20)
  for (let i = 0; evicted() === 0; i++) await search(host, requestOf(`t${i}`, 1))
  const before = evicted()
  const vector = Float32Array.from({ length: 256 }, (_, at) => Math.cos(at))
  const ids = await search(host, { ...requestOf('t5', 1), mode: 'semantic', vector })
  assert.equal(ids.length, 16)
  assert.ok(evicted() > before)
})

test('a tenant whose vectors alone are more than their memory is told that there is no room', async () => {
  const { host } = crampedHost(1_000, 2 ** 20)
  await assert.rejects(search(host, requestOf('large', 1)), isRefused('crowded'))
  assert.equal(host.status().indexes, 0)
})

test('a tenant that is dropped during a compaction no longer counts', async () => {
  let watermark = 4_000
  const changes = Array.from({ length: 6_000 }, (_, n) => put(n + 1, `d${n % 4_000}`, longText(n % 4_000)))
  const { source } = sourceOf(({ after }) => [changes.slice(after, watermark)])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  await search(host, requestOf('t', watermark))
  // Half of the documents are written again, so that the segment is worn and copied.
  watermark = 6_000
  await search(host, requestOf('t', watermark))
  void host.drop('t')
  await host.settled()
  assert.deepEqual(host.size, { bytes: 0, heapBytes: 0 })
})

test('a tenant that rewrites the same documents again and again does not grow', async () => {
  let watermark = 50
  // Only the newest change of each document.
  const { source } = sourceOf(({ after }) => [
    Array.from({ length: 50 }, (_, i) => put(watermark - 49 + i, `d${i}`)).filter(({ seq }) => seq > after),
  ])
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  await search(host, requestOf('t', watermark))
  await host.settled()
  const { bytes } = host.status()
  for (watermark = 100; watermark <= 20_000; watermark += 50) {
    assert.equal((await search(host, requestOf('t', watermark))).length, 50)
    await host.settled()
  }
  assert.equal(host.status().documents, 50)
  assert.ok(host.status().bytes <= bytes * 3, `${host.status().bytes} bytes after, ${bytes} before`)
})

test("a search waits for one index of another tenant, however many of that tenant's indexes are searched", async () => {
  const { source } = sourceOf(() => [[put(1, 'a')]])
  const host = new IndexHost([source], ROOMY)
  const models = ['m1', 'm2', 'm3', 'm4']
  await Promise.all([
    ...models.map((model) => search(host, requestOf('crowd', 1, model))),
    search(host, requestOf('t', 1)),
  ])
  const answered: string[] = []
  const noting = async (request: SearchRequest): Promise<void> => {
    await search(host, request)
    answered.push(`${request.version.tenantId} ${request.version.model ?? ''}`.trim())
  }
  await Promise.all([...models.map((model) => noting(requestOf('crowd', 1, model))), noting(requestOf('t', 1))])
  assert.ok(answered.indexOf('t') <= 1, answered.join(', '))
})

test('after a delayed search, the cheap ones behind it are answered in one turn instead of one each', async () => {
  const { source } = sourceOf(() => [[put(1, 'a')]])
  const clock = { ms: 0 }
  const costs: Readonly<Record<string, number>> = { 'held up': 30, cheap: 0.5, expensive: 40 }
  const analyser = {
    ...plainAnalyser,
    readQuery(text: string) {
      clock.ms += costs[text]
      return plainAnalyser.readQuery(text)
    },
  }
  const host = new IndexHost([source], ROOMY, { analyser, now: () => clock.ms })
  const answered: string[] = []
  const ask = async (tenantId: string, query: string): Promise<void> => {
    await search(host, { ...requestOf(tenantId, 1), query })
    answered.push(query)
  }
  await Promise.all([ask('crowd', 'expensive'), ask('t', 'held up')])
  const crowd = Array.from({ length: 6 }, () => ask('crowd', 'expensive'))
  const small = Array.from({ length: 6 }, () => ask('t', 'cheap'))
  await Promise.all(small)
  const before = answered.slice(2).filter((query) => query === 'expensive').length
  assert.ok(before <= 1, `${before} expensive searches of another tenant came between six cheap ones`)
  await Promise.all(crowd)
})

/** Makes a host with a tenant of expensive searches, and with tenant t, whose later changes `reading` reads. */
async function besideACrowd(reading: () => Promise<void>) {
  const clock = { ms: 0 }
  let newest = 1
  let isBuilt = false
  const { source } = sourceOf(async function* ({ version, after }) {
    if (version.tenantId === 't' && isBuilt && after > 0) await reading()
    newest = Math.max(newest, version.watermark)
    yield [put(newest, 'a')]
  })
  const analyser = {
    ...plainAnalyser,
    readQuery(text: string) {
      if (text === 'expensive') clock.ms += 40
      return plainAnalyser.readQuery(text)
    },
  }
  const host = new IndexHost([source], ROOMY, { analyser, now: () => clock.ms })
  const crowd = () => search(host, { ...requestOf('crowd', 1), query: 'expensive' })
  await Promise.all([crowd(), search(host, requestOf('t', 1))])
  isBuilt = true
  return { host, clock, crowd }
}

test('a search that waits for its changes does not also wait for an expensive search at each step', async () => {
  const { host, crowd } = await besideACrowd(async () => {
    for (let statement = 0; statement < 8; statement++) await new Promise((resolve) => setImmediate(resolve))
  })
  let expensive = 0
  const all = Array.from({ length: 8 }, async () => {
    await crowd()
    expensive++
  })
  await search(host, requestOf('t', 2))
  assert.ok(expensive <= 1, `${expensive} expensive searches came first`)
  await Promise.all(all)
})

test('expensive searches wait at most one turn for the changes of other tenants', async () => {
  const over = Promise.withResolvers<void>()
  const { host, clock, crowd } = await besideACrowd(() => over.promise)
  const waiting = search(host, requestOf('t', 2))
  const ticking = setInterval(() => clock.ms++, 1)
  assert.deepEqual(await crowd(), [])
  clearInterval(ticking)
  over.resolve()
  assert.deepEqual(await waiting, ['a'])
})

test('a tenant whose indexes come near its bound is told of once, before documents are left out', async () => {
  const events: IndexEvent[] = []
  const documents = Array.from({ length: 400 }, (_, i) => put(i + 1, `d${i}`, `lamp word${i}`))
  const { source } = sourceOf(({ version, after }) =>
    version.tenantId === 'small' ? [[put(1, 'a')]] : documents.filter(({ seq }) => seq > after).map((each) => [each]),
  )
  const whole = new IndexHost([source], ROOMY, { analyser: plainAnalyser })
  await search(whole, requestOf('t', 400))
  const limits = limitsOf(2 ** 30, Math.ceil(whole.status('t').bytes * 1.05))
  const host = new IndexHost([source], limits, { analyser: plainAnalyser, onEvent: (event) => void events.push(event) })
  await search(host, requestOf('small', 1))
  await search(host, requestOf('t', 400))
  const tight = events.filter(({ kind }) => kind === 'tight')
  assert.equal(tight.length, 1)
  assert.ok(tight[0].kind === 'tight' && tight[0].tenantId === 't' && tight[0].percent >= 90)
})
