import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { plainAnalyser } from '../../../test/support/search/naive.ts'
import { answerOf, plainSearch } from '../../../test/support/search/plain-search.ts'
import { document } from '../../../test/support/search/source.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import type { IndexChange, IndexSource, SearchAnswer } from '../engine.ts'
import { IndexHost, type IndexHostOptions } from './index-host.ts'
import { type IndexFiles, IndexFileLost, UnnamedFiles } from './index-files.ts'
import { SnapshotFiles } from './snapshots/snapshot-files.ts'
import { Snapshots } from './snapshots/snapshots.ts'

const DIMENSIONS = 256
const DOCUMENTS = 300
const TENANTS = 30
const MIB = 2 ** 20
/** About a third of what the indexes of all tenants take. */
const SHORT = { bytesMax: 5 * MIB, tenantBytesMax: 2 * MIB }
const ROOMY = { bytesMax: 512 * MIB, tenantBytesMax: 512 * MIB }
const EAGER = { documentsMin: 1, quietMs: 0, seldomMs: 0, oftenMs: 0, changedShare: 0 }

const folder = mkdtempSync(join(tmpdir(), 'knowledge-paged-'))
after(() => rmSync(folder, { recursive: true }))

function vectorOf(tenant: number, n: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(tenant * 31 + n * 7 + i + 1))
}

/** Tenants of the same size. Changes beyond the first documents are made by `change`. */
class Tenants implements IndexSource {
  readonly definition = DEFINITION
  readonly history = { mark: async () => 'now', contains: async () => true, follows: async () => true }
  /** How often a tenant was read from its first change on. */
  builds = 0
  readonly #changes = Array.from({ length: TENANTS }, (_, tenant) =>
    Array.from({ length: DOCUMENTS }, (_, n): IndexChange => ({ seq: n + 1, put: this.#document(tenant, n, 'lamp') })),
  )

  /** Writes a document of its own word. @returns the tenant's watermark */
  put(tenant: number, n: number, word: string): number {
    return this.#add(tenant, { put: this.#document(tenant, n, word) })
  }

  remove(tenant: number, n: number): number {
    return this.#add(tenant, { remove: `t${tenant}d${n}` })
  }

  watermark(tenant: number): number {
    return this.#changes[tenant].length
  }

  async *changes({ tenantId }: { readonly tenantId: string }, from: number): AsyncGenerator<readonly IndexChange[]> {
    if (from === 0) this.builds++
    const left = this.#changes[Number(tenantId)].slice(from)
    for (let i = 0; i < left.length; i += 100) yield left.slice(i, i + 100)
  }

  #add(tenant: number, change: { put: ReturnType<typeof document> } | { remove: string }): number {
    const seq = this.#changes[tenant].length + 1
    this.#changes[tenant].push({ seq, ...change })
    return seq
  }

  #document(tenant: number, n: number, word: string): ReturnType<typeof document> {
    return document(`t${tenant}d${n}`, `${word} number${n} of${tenant}`, vectorOf(tenant, n))
  }
}

/** A host on a clock that makes each search come ten seconds after the last. */
class Bed {
  readonly host: IndexHost
  #now = 0

  constructor(source: IndexSource, limits: typeof SHORT, options: IndexHostOptions = {}) {
    const files = new UnnamedFiles(folder, 2 ** 30)
    this.host = new IndexHost([source], limits, {
      analyser: plainAnalyser,
      files,
      now: () => this.#now,
      ...options,
    })
  }

  async search(tenant: number, query: string, watermark: number): Promise<SearchAnswer> {
    this.#now += 10_000
    const version = { tenantId: `${tenant}`, index: 'things', model: 'm', watermark }
    const request = { ...plainSearch(version, query), mode: 'hybrid' as const, vector: vectorOf(tenant, 7) }
    const answer = await answerOf(this.host, request)
    await this.host.settled()
    return answer
  }
}

function foundBy({ hits, total }: SearchAnswer): unknown {
  return [total, hits.map(({ id, score, similarity }) => [id, score, similarity])]
}

async function searchAll(bed: Bed, source: Tenants): Promise<void> {
  for (let tenant = 0; tenant < TENANTS; tenant++) await bed.search(tenant, 'lamp', source.watermark(tenant))
}

test('tenants of whose indexes a third fits are all kept, each built once, and answer as if all fitted', async () => {
  const source = new Tenants()
  const short = new Bed(source, SHORT)
  const roomy = new Bed(new Tenants(), ROOMY)
  await searchAll(short, source)
  const { builds } = source
  await searchAll(short, source)
  for (let tenant = TENANTS - 1; tenant >= 0; tenant--) {
    const query = `lamp number${tenant}`
    const answers = await Promise.all([short, roomy].map((bed) => bed.search(tenant, query, DOCUMENTS)))
    assert.deepEqual(foundBy(answers[0]), foundBy(answers[1]))
  }
  const status = short.host.status()
  assert.equal(status.indexes, TENANTS)
  assert.ok(status.pagedOut > 0 && status.pagedOut < TENANTS, `${status.pagedOut} are paged out`)
  assert.ok(status.bytes <= SHORT.bytesMax)
  assert.ok(roomy.host.status().bytes > 2.5 * SHORT.bytesMax)
  assert.equal(source.builds, builds)
  assert.deepEqual(readdirSync(folder), [])
})

test('what is written to and removed from indexes in files is found and gone with the next search, as if all fitted', async () => {
  const step = fc.record({
    tenant: fc.nat(TENANTS - 1),
    n: fc.nat(DOCUMENTS + 5),
    how: fc.constantFrom('put', 'remove', 'search', 'save'),
  })
  const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (history) => {
    const source = new Tenants()
    const snapshots = new Snapshots({
      files: new SnapshotFiles(join(folder, 'kept'), 2 ** 30),
      program: async () => 'one',
      policy: EAGER,
    })
    const short = new Bed(source, SHORT, { snapshots })
    const roomy = new Bed(source, ROOMY)
    await searchAll(short, source)
    for (const { tenant, n, how } of history) {
      if (how === 'put') source.put(tenant, n, 'stool')
      else if (how === 'remove') source.remove(tenant, n)
      else if (how === 'save') await short.host.saveDue()
      for (const query of ['stool', `lamp number${n}`]) {
        const watermark = source.watermark(tenant)
        const answers = [await short.search(tenant, query, watermark), await roomy.search(tenant, query, watermark)]
        assert.deepEqual(foundBy(answers[0]), foundBy(answers[1]))
      }
    }
    assert.ok(short.host.status().bytes <= SHORT.bytesMax)
    await Promise.all(Array.from({ length: TENANTS }, (_, tenant) => short.host.drop(`${tenant}`)))
    const { bytes, fileBytes } = short.host.status()
    assert.deepEqual([bytes, fileBytes], [0, 0])
  })
  await fc.assert(property, { numRuns: 10 })
  rmSync(join(folder, 'kept'), { recursive: true })
})

test('an index whose file cannot be read any more is built again, and the search that needed it is answered', async () => {
  let isBroken = false
  const real = new UnnamedFiles(folder, 2 ** 30)
  const files: IndexFiles = {
    giveUp: () => real.giveUp(),
    create(bytes) {
      const file = real.create(bytes)
      if (file === null) return null
      const read = (into: Uint8Array, position: number): void => {
        if (isBroken) throw new IndexFileLost('the disk is away')
        file.read(into, position)
      }
      return { append: (piece) => file.append(piece), read, close: () => file.close() }
    },
  }
  const told: string[] = []
  const source = new Tenants()
  const bed = new Bed(source, SHORT, { files, onFilesLost: ({ message }) => void told.push(message) })
  const roomy = new Bed(new Tenants(), ROOMY)
  await searchAll(bed, source)
  await searchAll(bed, source)
  const { builds } = source
  assert.ok(bed.host.status().pagedOut > 0)
  isBroken = true
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    const query = `lamp number${tenant}`
    const answers = await Promise.all([bed, roomy].map((each) => each.search(tenant, query, DOCUMENTS)))
    assert.deepEqual(foundBy(answers[0]), foundBy(answers[1]))
  }
  assert.ok(source.builds > builds)
  assert.ok(told.length > 0)
})

test('without room on disk indexes make room by being dropped', async () => {
  const source = new Tenants()
  const bed = new Bed(source, SHORT, { files: new UnnamedFiles(folder, MIB) })
  await searchAll(bed, source)
  await searchAll(bed, source)
  const { indexes, bytes } = bed.host.status()
  assert.ok(indexes < TENANTS)
  assert.ok(bytes <= SHORT.bytesMax)
})
