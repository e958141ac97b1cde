import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EngineUnavailable,
  type IndexChange,
  type IndexSource,
  type IndexVersion,
  type SearchAnswer,
  type SearchRequest,
} from '../engine.ts'
import { plainAnalyser } from '../naive.ts'
import { IndexHost } from './index-host.ts'
import { DEFINITION } from './test-documents.ts'
import { document } from './test-source.ts'

interface Read {
  readonly version: IndexVersion
  readonly after: number
  readonly upTo: number
}

type Batches = AsyncIterable<readonly IndexChange[]> | Iterable<readonly IndexChange[]>

/** A source that answers as the test says, and remembers what it was asked. */
function sourceOf(answer: (read: Read) => Batches): { source: IndexSource; reads: Read[] } {
  const reads: Read[] = []
  const source: IndexSource = {
    definition: DEFINITION,
    async *changes(version, after, upTo) {
      reads.push({ version, after, upTo })
      yield* answer({ version, after, upTo })
    },
  }
  return { source, reads }
}

function requestOf(tenantId: string, watermark: number, model: string | null = null): SearchRequest {
  return {
    version: { tenantId, index: 'things', model, watermark },
    mode: 'keyword',
    query: 'lamp',
    vector: null,
    visible: { all: [] },
    filter: { all: [] },
    offset: 0,
    limit: 100,
    minSimilarity: null,
    vectorWeight: 0.5,
    groups: null,
    explain: false,
  }
}

async function search(host: IndexHost, request: SearchRequest): Promise<string[]> {
  const answer = await new Promise<SearchAnswer>((resolve, reject) => {
    const settle = (outcome: SearchAnswer | null | Error): void =>
      outcome instanceof Error ? reject(outcome) : resolve(outcome!)
    host.submit({ version: request.version, request, settle })
  })
  return answer.hits.map((hit) => hit.id).sort()
}

function put(seq: number, id: string, title = 'lamp'): IndexChange {
  return { seq, put: document(id, title) }
}

const ROOMY = 2 ** 30

test('searches of one tenant that arrive together share one catch-up, to the highest watermark among them', async () => {
  const { source, reads } = sourceOf(() => [[put(1, 'a'), put(2, 'b'), put(3, 'c')]])
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  const answers = await Promise.all([1, 3, 2].map((watermark) => search(host, requestOf('t', watermark))))
  assert.deepEqual(answers, [
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  assert.deepEqual(
    reads.map(({ after, upTo }) => [after, upTo]),
    [[0, 3]],
  )
})

test('what a search needs no new change for is not read again', async () => {
  const { source, reads } = sourceOf(() => [[put(1, 'a')]])
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  assert.deepEqual(await search(host, requestOf('t', 0)), [])
  assert.equal(reads.length, 0)
  await search(host, requestOf('t', 1))
  await search(host, requestOf('t', 1))
  assert.equal(reads.length, 1)
})

test('a change told early, beyond the watermark, is read for again', async () => {
  const { source, reads } = sourceOf(({ upTo }) => (upTo === 1 ? [[put(5, 'a')]] : [[put(3, 'b'), put(5, 'a')]]))
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  assert.deepEqual(await search(host, requestOf('t', 1)), ['a'])
  assert.deepEqual(await search(host, requestOf('t', 5)), ['a', 'b'])
  assert.deepEqual(
    reads.map(({ after }) => after),
    [0, 1],
  )
})

test('a source that breaks off fails only that search, and nothing of what it told is taken as complete', async () => {
  let isBroken = true
  const { source, reads } = sourceOf(function* ({ after }) {
    if (after < 1) yield [put(1, 'a')]
    if (isBroken) throw new Error('away')
    yield [put(2, 'b')]
  })
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  await assert.rejects(search(host, requestOf('t', 1)), EngineUnavailable)
  isBroken = false
  assert.deepEqual(await search(host, requestOf('t', 1)), ['a', 'b'])
  assert.equal(reads.length, 2)
})

test('a document that cannot be taken in is counted and left out, the others are found, and mended it is found too', async () => {
  const broken = { ...document('b', 'lamp'), passages: [{ vector: Float32Array.of(1), start: 0, end: 1 }] }
  const good = { ...document('a', 'lamp'), passages: [{ vector: Float32Array.of(1, 0), start: 0, end: 1 }] }
  let change: IndexChange = { seq: 2, put: broken }
  const { source } = sourceOf(({ after }) => (after < 1 ? [[{ seq: 1, put: good }], [change]] : [[change]]))
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  assert.deepEqual(await search(host, requestOf('t', 2)), ['a'])
  assert.equal(host.status().unreadable, 1)
  change = { seq: 3, unreadable: 'b' }
  assert.deepEqual(await search(host, requestOf('t', 3)), ['a'])
  assert.equal(host.status().unreadable, 1)
  change = { seq: 4, put: { ...broken, passages: good.passages } }
  assert.deepEqual(await search(host, requestOf('t', 4)), ['a', 'b'])
  assert.equal(host.status().unreadable, 0)
})

test('searches that wait for a tenant dropped meanwhile are answered by a new copy', async () => {
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
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  const waiting = search(host, requestOf('t', 2))
  await hasBegun
  host.drop('t')
  release()
  assert.deepEqual(await waiting, ['a', 'b'])
  assert.equal(reads.length, 2)
  assert.equal(host.status().indexes, 1)
})

test('a search and a drop that arrive together end, the search with an answer', async () => {
  const { source } = sourceOf(() => [[put(1, 'a')]])
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  const waiting = search(host, requestOf('t', 1))
  host.drop('t')
  assert.deepEqual(await waiting, ['a'])
})

test('a document of the wrong size that comes first does not decide for the others', async () => {
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
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  assert.deepEqual(await search(host, requestOf('t', 2)), ['a'])
  assert.equal(host.status().unreadable, 1)
})

test("a new model's copy is built from the start, and then the old one goes", async () => {
  const { source, reads } = sourceOf(() => [[put(1, 'a')]])
  const host = new IndexHost([source], ROOMY, plainAnalyser)
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

/** A few hundred documents, about half a megabyte. */
function load(tenantId: string): IndexChange[][] {
  return [Array.from({ length: 400 }, (_, i) => put(1, `${tenantId}${i}`, `lamp ${tenantId}word${i} other${i}`))]
}

test('over budget the least recently used tenant is dropped, and found again when asked for', async () => {
  const { source, reads } = sourceOf(({ version }) => load(version.tenantId))
  const probe = new IndexHost([source], ROOMY, plainAnalyser)
  await search(probe, requestOf('x', 1))
  const budget = probe.status().bytes * 2.5
  reads.length = 0

  const host = new IndexHost([source], budget, plainAnalyser)
  for (const tenantId of ['a', 'b', 'a', 'c', 'a', 'b']) await search(host, requestOf(tenantId, 1))
  assert.deepEqual(
    reads.map(({ version }) => version.tenantId),
    ['a', 'b', 'c', 'b'],
  )
  const { indexes, bytes, warnings } = host.status()
  assert.ok(indexes === 2 && bytes <= budget)
  assert.deepEqual(warnings, [])
})

test('a tenant larger than the whole budget is served, and status says so', async () => {
  const { source, reads } = sourceOf(({ version }) => load(version.tenantId))
  const host = new IndexHost([source], 10_000, plainAnalyser)
  assert.equal((await search(host, requestOf('a', 1))).length, 100)
  await search(host, requestOf('a', 1))
  assert.equal(reads.length, 1)
  assert.match(host.status().warnings.join(), /tenant a takes 1 MiB/)
})

test('memory of dropped tenants is used again', async () => {
  const vector = Float32Array.from({ length: 256 }, (_, i) => i)
  const { source } = sourceOf(({ version }) => [
    Array.from({ length: 300 }, (_, i) => ({
      seq: 1,
      put: { ...document(`${version.tenantId}${i}`, 'lamp'), passages: [{ vector, start: 0, end: 1 }] },
    })),
  ])
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  await search(host, requestOf('first', 1))
  const { bytes } = host.status()
  for (let i = 0; i < 20; i++) {
    host.drop(i === 0 ? 'first' : `t${i - 1}`)
    await search(host, requestOf(`t${i}`, 1))
  }
  assert.equal(host.status().indexes, 1)
  assert.ok(host.status().bytes < bytes * 1.1)
  assert.ok(host.reservedBytes < 4 * bytes + 4 * 2 ** 20)
})

test('a tenant that rewrites the same documents over and over does not grow', async () => {
  const { source } = sourceOf(({ after, upTo }) => [
    Array.from({ length: upTo - after }, (_, i) => put(after + i + 1, `d${i % 50}`)),
  ])
  const host = new IndexHost([source], ROOMY, plainAnalyser)
  await search(host, requestOf('t', 1_000))
  await host.settled()
  const { bytes } = host.status()
  for (let watermark = 2_000; watermark <= 20_000; watermark += 1_000) {
    assert.equal((await search(host, requestOf('t', watermark))).length, 50)
    await host.settled()
  }
  assert.equal(host.status().documents, 50)
  assert.ok(host.status().bytes <= bytes * 3, `${host.status().bytes} bytes after, ${bytes} before`)
})
