import { normalizeInPlace } from '../../../embedding/vectors.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { answerOf, plainSearch } from '../../../../test/support/search/plain-search.ts'
import { document } from '../../../../test/support/search/source.ts'
import { valuesOf } from '../../../../test/support/search/values.ts'
import { watchedFiles } from '../../../../test/support/search/watched-files.ts'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { inTier } from '../../../../test/support/tier.ts'
import { type IndexChange, type IndexDefinition, type IndexSource, type SearchAnswer } from '../../engine.ts'
import { IndexHost, type IndexHostOptions } from './index-host.ts'
import { type IndexFiles, IndexFileLost, UnnamedFiles } from '../columns/index-files.ts'
import { SnapshotFiles } from '../index/snapshots/snapshot-files.ts'
import { Snapshots } from '../index/snapshots/snapshots.ts'

const DIMENSIONS = 256
const DOCUMENTS = 500
const TENANTS = 20
const MIB = 2 ** 20
/** About a third of what the indexes of all tenants take. */
const SHORT = { bytesMax: 6 * MIB, tenantBytesMax: 3 * MIB }
const ROOMY = { bytesMax: 512 * MIB, tenantBytesMax: 512 * MIB }
const EAGER = { documentsMin: 1, quietMs: 0, seldomMs: 0, oftenMs: 0, changedShare: 0 }

const folder = mkdtempSync(join(tmpdir(), 'knowledge-paged-'))
after(() => rmSync(folder, { recursive: true }))

function vectorOf(tenant: number, n: number): Float32Array {
  return normalizeInPlace(Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(tenant * 31 + n * 7 + i + 1)))
}

/** The source of tenants of the same size, to which a test adds changes. */
class Tenants implements IndexSource {
  readonly definition: IndexDefinition
  readonly history = { mark: async () => 'now', contains: async () => true, follows: async () => true }
  readonly values = valuesOf(({ tenantId }, from) => this.#read(tenantId, from))
  /** Number of reads from the first change of a tenant on. */
  builds = 0
  readonly #changes = Array.from({ length: TENANTS }, (_, tenant) =>
    Array.from({ length: DOCUMENTS }, (_, n): IndexChange => ({ seq: n + 1, put: this.#document(tenant, n, 'lamp') })),
  )

  constructor(name = DEFINITION.name) {
    this.definition = { ...DEFINITION, name }
  }

  /** Writes a document with a word. @returns the tenant's watermark */
  put(tenant: number, n: number, word: string): number {
    return this.#add(tenant, { put: this.#document(tenant, n, word) })
  }

  remove(tenant: number, n: number): number {
    return this.#add(tenant, { remove: `t${tenant}d${n}` })
  }

  watermark(tenant: number): number {
    return this.#changes[tenant].length
  }

  changes({ tenantId }: { readonly tenantId: string }, from: number): AsyncGenerator<readonly IndexChange[]> {
    if (from === 0) this.builds++
    return this.#read(tenantId, from)
  }

  async *#read(tenantId: string, from: number): AsyncGenerator<readonly IndexChange[]> {
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

/** A host on a clock that moves on by ten seconds with each search. */
class Bed {
  readonly host: IndexHost
  #now = 0

  constructor(source: IndexSource | IndexSource[], limits: typeof SHORT, options: IndexHostOptions = {}) {
    const files = new UnnamedFiles(folder, 2 ** 30)
    this.host = new IndexHost([source].flat(), limits, {
      analyser: plainAnalyser,
      files,
      now: () => this.#now,
      ...options,
    })
  }

  async search(tenant: number, query: string, watermark: number, index = DEFINITION.name): Promise<SearchAnswer> {
    const answer = await this.ask(tenant, query, watermark, index)
    await this.host.settled()
    return answer
  }

  /** Searches like `search`, without waiting until nothing moves any more. */
  ask(tenant: number, query: string, watermark: number, index = DEFINITION.name): Promise<SearchAnswer> {
    this.#now += 10_000
    const version = { tenantId: `${tenant}`, index, model: 'm', watermark }
    return answerOf(this.host, { ...plainSearch(version, query), mode: 'hybrid', vector: vectorOf(tenant, 7) })
  }
}

function contentOf({ hits, total }: SearchAnswer): unknown {
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
    assert.deepEqual(contentOf(answers[0]), contentOf(answers[1]))
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
        assert.deepEqual(contentOf(answers[0]), contentOf(answers[1]))
      }
    }
    assert.ok(short.host.status().bytes <= SHORT.bytesMax)
    await Promise.all(Array.from({ length: TENANTS }, (_, tenant) => short.host.drop(`${tenant}`)))
    const { bytes, fileBytes } = short.host.status()
    assert.deepEqual([bytes, fileBytes], [0, 0])
  })
  await fc.assert(property, { numRuns: inTier({ gate: 2, all: 6 }) })
  rmSync(join(folder, 'kept'), { recursive: true })
})

test('an index whose file cannot be read any more is built again, and the search that needed it is answered', async () => {
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
  const source = new Tenants()
  const bed = new Bed(source, SHORT, { files, onFilesLost: ({ message }) => void messages.push(message) })
  const roomy = new Bed(new Tenants(), ROOMY)
  await searchAll(bed, source)
  await searchAll(bed, source)
  const { builds } = source
  assert.ok(bed.host.status().pagedOut > 0)
  isBroken = true
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    const query = `lamp number${tenant}`
    const answers = await Promise.all([bed, roomy].map((each) => each.search(tenant, query, DOCUMENTS)))
    assert.deepEqual(contentOf(answers[0]), contentOf(answers[1]))
  }
  assert.ok(source.builds > builds)
  assert.ok(messages.length > 0)
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

test('without room in a file that is full, others go on being laid out', async () => {
  let creations = 0
  const real = new UnnamedFiles(folder, 2 ** 30)
  const files: IndexFiles = {
    giveUp: () => real.giveUp(),
    create: (bytes) => (++creations <= 5 ? null : real.create(bytes)),
  }
  const source = new Tenants()
  const bed = new Bed(source, SHORT, { files })
  await searchAll(bed, source)
  await searchAll(bed, source)
  assert.ok(bed.host.status().pagedOut > 0)
})

test('a disk that is full in the middle of writing leaves indexes whole, and tells so once', async () => {
  const real = new UnnamedFiles(folder, 2 ** 30)
  let written = 0
  const files = watchedFiles(real, (file) => {
    const append = async (piece: Uint8Array): Promise<void> => {
      if (++written > 12) throw new IndexFileLost('no space left on device')
      await file.append(piece)
    }
    return { append }
  })
  const messages: string[] = []
  const source = new Tenants()
  const bed = new Bed(source, SHORT, { files, onFilesLost: ({ message }) => void messages.push(message) })
  const roomy = new Bed(new Tenants(), ROOMY)
  for (let round = 0; round < 2; round++) {
    for (let tenant = 0; tenant < TENANTS; tenant++) {
      const answers = await Promise.all([bed, roomy].map((each) => each.search(tenant, 'lamp number9', DOCUMENTS)))
      assert.deepEqual(contentOf(answers[0]), contentOf(answers[1]))
    }
  }
  assert.deepEqual(messages, ['no space left on device'])
})

test('searches of all tenants at once are all answered, though a third of the indexes fits', async () => {
  const source = new Tenants()
  const bed = new Bed(source, SHORT)
  await searchAll(bed, source)
  await searchAll(bed, source)
  const { builds } = source
  for (let round = 0; round < 3; round++) {
    const all = Array.from({ length: TENANTS }, (_, tenant) => bed.ask(tenant, 'lamp', DOCUMENTS))
    for (const { total } of await Promise.all(all)) assert.equal(total, DOCUMENTS)
  }
  assert.equal(source.builds, builds)
})

test('a search after a small change does not wait until the indexes of others are laid out', async () => {
  const real = new UnnamedFiles(folder, 2 ** 30)
  const gate = Promise.withResolvers<void>()
  let isSlow = false
  const files = watchedFiles(real, (file) => {
    const append = async (piece: Uint8Array): Promise<void> => {
      if (isSlow) await gate.promise
      await file.append(piece)
    }
    return { append }
  })
  const source = new Tenants()
  const bed = new Bed(source, SHORT, { files })
  await searchAll(bed, source)
  isSlow = true
  // Its layout is under way from now on.
  for (let n = 0; n < DOCUMENTS; n++) source.put(3, n, 'stool')
  await bed.ask(3, 'stool', source.watermark(3))
  await bed.ask(4, 'lamp', source.watermark(4))
  const watermark = source.put(5, 1, 'stool')
  assert.equal((await bed.ask(5, 'stool', watermark)).hits[0].id, 't5d1')
  gate.resolve()
  await bed.host.settled()
})

test('two indexes of a tenant that do not fit together share the room, and both are searched', async () => {
  const kinds = [new Tenants('things'), new Tenants('others')]
  const limits = { ...SHORT, tenantBytesMax: MIB }
  const bed = new Bed(kinds, limits)
  await searchAll(bed, kinds[0])
  await searchAll(bed, kinds[0])
  assert.ok(bed.host.status().pagedOut > 0)
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    const totals = [
      (await bed.search(tenant, 'lamp', DOCUMENTS, 'others')).total,
      (await bed.search(tenant, 'lamp', DOCUMENTS)).total,
    ]
    assert.ok(totals.every((total) => total > 0) && totals.some((total) => total < DOCUMENTS), totals.join(', '))
  }
})

test('an index that is dropped while it is laid out leaves nothing in files', async () => {
  const real = new UnnamedFiles(folder, 2 ** 30)
  let open = 0
  const dropping: Promise<void>[] = []
  const files = watchedFiles(real, (file) => {
    open++
    const append = async (piece: Uint8Array): Promise<void> => {
      await file.append(piece)
      for (let tenant = 0; tenant < TENANTS; tenant++) dropping.push(bed.host.drop(`${tenant}`))
    }
    const close = (): void => {
      open--
      file.close()
    }
    return { append, close }
  })
  const source = new Tenants()
  const bed = new Bed(source, SHORT, { files })
  await searchAll(bed, source)
  await Promise.all(dropping)
  assert.ok(dropping.length > 0)
  assert.equal(open, 0)
})

test('an index that has outgrown its bound right after its snapshot was written leaves documents out', async () => {
  const files = new SnapshotFiles(join(folder, 'refused'), 2 ** 30)
  const snapshots = (): Snapshots => new Snapshots({ files, policy: EAGER })
  const source = new Tenants()
  const words = Array.from({ length: 5_000 }, (_, i) => `word${i}`)
  const roomy = new Bed(source, ROOMY, { snapshots: snapshots() })
  await roomy.search(0, 'lamp', source.put(0, 2, words.join(' ')))
  await roomy.host.saveDue()
  const limits = { bytesMax: 64 * MIB, tenantBytesMax: roomy.host.status().bytes + 2 ** 16 }
  // Its size is looked at only now and then, by a clock that stands still.
  const host = new IndexHost([source], limits, { analyser: plainAnalyser, snapshots: snapshots(), now: () => 0 })
  const version = { tenantId: '0', index: 'things', model: 'm', watermark: source.put(0, 1, 'lamp') }
  // All terms are listed for it.
  const { total } = await answerOf(host, { ...plainSearch(version, 'word77'), prefixLast: true })
  assert.equal(total, 1)
  assert.equal(host.status().indexes, 1)
  await host.saveDue()
  await host.settled()
  assert.equal(host.status().indexes, 1)
  assert.ok(host.status().bytes <= limits.tenantBytesMax)
  rmSync(join(folder, 'refused'), { recursive: true })
})

test('an index that is dropped while it is compacted, and memory is short, disturbs no search', async () => {
  const source = new Tenants()
  const bed = new Bed(source, SHORT)
  await searchAll(bed, source)
  await searchAll(bed, source)
  for (let tenant = 3; tenant < 8; tenant++) {
    for (let n = 0; n < DOCUMENTS; n++) source.put(tenant, n, 'stool')
    await bed.ask(tenant, 'stool', source.watermark(tenant))
    await bed.host.drop(`${tenant}`)
  }
  await searchAll(bed, source)
  assert.equal(bed.host.status().indexes, TENANTS)
})

test('an index is paged out while its catch-up rests, and reads on with its next search', async (t) => {
  const source = new Tenants()
  let workedMs = 0
  const bed = new Bed(source, SHORT, { processorMs: () => workedMs++ })
  const roomy = new Bed(source, ROOMY)
  await searchAll(bed, source)
  await searchAll(bed, source)
  await bed.search(0, 'lamp', source.watermark(0))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (let n = 0; n < DOCUMENTS / 2; n++) source.put(0, n, 'stool')
  const before = workedMs
  bed.host.follow({ tenantId: '0', model: 'm', watermark: source.watermark(0) })
  // The time is read before each batch of texts and after it, for the rest.
  const isResting = (): boolean => workedMs >= before + 2
  while (!isResting()) await new Promise((resolve) => setImmediate(resolve))
  const { documentsBehind } = bed.host.status('0')
  assert.ok(documentsBehind > 0)
  for (let tenant = 1; tenant < TENANTS; tenant++) await bed.search(tenant, 'lamp', source.watermark(tenant))
  assert.equal(bed.host.status('0').pagedOut, 1)
  t.mock.timers.tick(1_000)
  for (let n = 0; n < 100; n++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([bed.host.status('0').pagedOut, bed.host.status('0').documentsBehind], [1, documentsBehind])
  const answers = await Promise.all([bed, roomy].map((each) => each.search(0, 'stool', source.watermark(0))))
  assert.deepEqual(contentOf(answers[0]), contentOf(answers[1]))
  assert.equal(bed.host.status('0').documentsBehind, 0)
})
