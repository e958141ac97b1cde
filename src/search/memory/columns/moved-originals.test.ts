import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '../../../../test/support/patience.ts'
import { normalizeInPlace } from '../../../embedding/vectors.ts'
import type { IndexChange, IndexSource, SearchAnswer } from '../../engine.ts'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { document } from '../../../../test/support/search/source.ts'
import { valuesOf } from '../../../../test/support/search/values.ts'
import { watchedFiles } from '../../../../test/support/search/watched-files.ts'
import { IndexHost, type IndexHostOptions } from '../host/index-host.ts'
import { IndexFileLost, UnnamedFiles } from './index-files.ts'
import { SnapshotFiles } from '../index/snapshots/snapshot-files.ts'
import { Snapshots } from '../index/snapshots/snapshots.ts'
import { norm } from './vector-column.ts'
import { answerOf, plainSearch } from '../../../../test/support/search/plain-search.ts'

/** Vectors so long that a segment is full with 3,000 of them, of which four fifths of the bytes can move. */
const DIMENSIONS = 4_096
const MIB = 2 ** 20
const EAGER = { documentsMin: 1, quietMs: 0, seldomMs: 0, oftenMs: 0, changedShare: 0 }

const folder = mkdtempSync(join(tmpdir(), 'knowledge-moved-'))
after(() => rmSync(folder, { recursive: true }))

/** Makes the vector of document `n`: the same in each run, in another direction for each number. */
function makeVector(n: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  let state = n + 1
  for (let i = 0; i < DIMENSIONS; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    vector[i] = state / 2 ** 31 - 1
  }
  return normalizeInPlace(vector)
}

const VECTORS = Array.from({ length: 6_500 }, (_, n) => makeVector(n))

/** Makes the source of a tenant with `documents` documents, which counts its reads. */
function sourceOf(documents: number): IndexSource & { reads: number } {
  async function* changes(from: number): AsyncGenerator<readonly IndexChange[]> {
    for (let n = from; n < documents; n += 100) {
      yield Array.from({ length: Math.min(100, documents - n) }, (_, i) => {
        return { seq: n + i + 1, put: document(`d${n + i}`, 'lamp', VECTORS[n + i]) }
      })
    }
  }
  const source = {
    definition: DEFINITION,
    reads: 0,
    history: { mark: async () => 'now', contains: async () => true, follows: async () => true },
    changes(_version: unknown, from: number): AsyncGenerator<readonly IndexChange[]> {
      if (from < documents) source.reads++
      return changes(from)
    },
    values: valuesOf((_version, from) => changes(from)),
  }
  return source
}

function search(host: IndexHost, vector: Float32Array, watermark: number): Promise<SearchAnswer> {
  const version = { tenantId: 't', index: 'things', model: 'm', watermark }
  return answerOf(host, { ...plainSearch(version, 'lamp'), mode: 'semantic', vector })
}

/** Returns the ten documents of the highest cosines, by comparing all. */
function nearest(query: Float32Array, documents: number): { id: string; similarity: number }[] {
  const all = VECTORS.slice(0, documents).map((vector, n) => {
    let product = 0
    for (let i = 0; i < DIMENSIONS; i++) product += vector[i] * query[i]
    return { id: `d${n}`, similarity: product / (norm(vector) * norm(query)) }
  })
  return all.sort((a, b) => b.similarity - a.similarity).slice(0, 10)
}

function hostOn(source: IndexSource, bytesMax: number, options: IndexHostOptions = {}): IndexHost {
  const files = new UnnamedFiles(folder, 2 ** 30)
  return new IndexHost([source], { bytesMax, tenantBytesMax: bytesMax }, { analyser: plainAnalyser, files, ...options })
}

const QUERY = makeVector(-77)

async function assertExact(host: IndexHost, documents: number): Promise<void> {
  await search(host, QUERY, documents)
  await host.settled()
  const { hits } = await search(host, QUERY, documents)
  const expected = nearest(QUERY, documents)
  assert.deepEqual(
    hits.map(({ id }) => id),
    expected.map(({ id }) => id),
  )
  for (const [i, { similarity }] of hits.entries()) {
    assert.ok(Math.abs(similarity - expected[i].similarity) < 1e-12, `${similarity}`)
  }
}

/** Searches until vectors lie in files, since a search starts the move only every so often. */
async function untilMoved(host: IndexHost, documents: number): Promise<void> {
  await until(async () => {
    await search(host, QUERY, documents)
    return host.status().fileBytes > 0
  }, 'vectors are moved')
  await host.settled()
}

test('a tenant with more vectors than its memory is searched exactly, with original vectors in files without names', async () => {
  const documents = 6_500
  const host = hostOn(sourceOf(documents), 112 * MIB)
  await assertExact(host, documents)
  const { bytes, fileBytes } = host.status()
  assert.ok(bytes + fileBytes > 112 * MIB, `${bytes} + ${fileBytes}`)
  assert.ok(bytes < 112 * MIB, `${bytes}`)
  assert.deepEqual(readdirSync(folder), [])
})

test('an index that fills the memory between two looks waits until its vectors have moved', async () => {
  const host = hostOn(sourceOf(6_500), 112 * MIB, { now: () => 0 })
  await assertExact(host, 6_500)
  assert.ok(host.status().bytes < 112 * MIB, `${host.status().bytes}`)
})

test('with room enough all vectors stay in memory', async () => {
  const host = hostOn(sourceOf(3_500), 512 * MIB)
  await assertExact(host, 3_500)
  assert.equal(host.status().fileBytes, 0)
})

test('vectors that cannot be read any more are read from the database again, and the search is answered', async () => {
  const documents = 4_500
  let isBroken = false
  const real = new UnnamedFiles(folder, 2 ** 30)
  const files = watchedFiles(real, (file) => {
    const read = (into: Uint8Array, position: number): void => {
      if (isBroken) throw new IndexFileLost('the disk is away')
      file.read(into, position)
    }
    return { read }
  })
  const messages: string[] = []
  const source = sourceOf(documents)
  const host = hostOn(source, 108 * MIB, { files, onFilesLost: ({ message }) => void messages.push(message) })
  await assertExact(host, documents)
  await untilMoved(host, documents)
  await assertExact(host, documents)
  assert.deepEqual([source.reads, messages], [1, []])
  isBroken = true
  await assertExact(host, documents)
  assert.deepEqual([source.reads, messages], [2, ['the disk is away']])
  assert.equal(host.status().fileBytes, 0)
})

test('a restart reads original vectors to files while memory is short, and to memory where there is room', async () => {
  const documents = 4_500
  const snapshotDir = join(folder, 'kept')
  const snapshots = (): Snapshots => new Snapshots({ files: new SnapshotFiles(snapshotDir, 2 ** 30), policy: EAGER })
  const first = hostOn(sourceOf(documents), 108 * MIB, { snapshots: snapshots() })
  await assertExact(first, documents)
  await untilMoved(first, documents)
  await first.saveDue()
  for (const { bytesMax, isMoved } of [
    { bytesMax: 108 * MIB, isMoved: true },
    { bytesMax: 512 * MIB, isMoved: false },
  ]) {
    const source = sourceOf(documents)
    const next = hostOn(source, bytesMax, { snapshots: snapshots() })
    await assertExact(next, documents)
    assert.deepEqual([source.reads, next.status().fileBytes > 0], [0, isMoved])
  }
  rmSync(snapshotDir, { recursive: true })
})
