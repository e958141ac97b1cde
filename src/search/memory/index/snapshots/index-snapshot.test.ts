import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import type { IndexChange, IndexDefinition, SearchRequest, ValueChange } from '../../../engine.ts'
import { DEFINITION as FRACTIONAL, documents } from '../../../../../test/support/search/documents.ts'
import { document } from '../../../../../test/support/search/source.ts'
import { plainAnalyser } from '../../../../../test/support/search/naive.ts'
import { requests } from '../../../../../test/support/search/requests.ts'
import { valueChange } from '../../../../../test/support/search/values.ts'
import { inTier } from '../../../../../test/support/tier.ts'
import { Arena } from '../../columns/arena.ts'
import { compact } from '../compaction.ts'
import { type IndexFiles, UnnamedFiles } from '../../columns/index-files.ts'
import { TenantIndex } from '../tenant-index.ts'
import { createVectorMemory } from '../../columns/vector-column.ts'
import { loadKernel } from '../../columns/vector-kernel.ts'
import { SnapshotReader, SnapshotDamaged, SnapshotWriter } from '../../columns/checked-stream.ts'
import { loadIndex, readIdentity, saveIndex, type SnapshotIdentity } from './index-snapshot.ts'

/** Weights are whole, as in the service: sums of others depend in their last bit on how segments are divided. */
const DEFINITION: IndexDefinition = { ...FRACTIONAL, textFields: { title: 3, body: 1, tags: 2 } }
const arena = new Arena()
const memory = createVectorMemory(arena, loadKernel(arena.memory))
const identity: SnapshotIdentity = {
  tenantId: 't',
  index: 'things',
  model: null,
  form: 'f',
  mark: 'm',
  bytes: 1,
  heapBytes: 1,
  fileBytes: 0,
  leftOut: { count: 0, newest: [] },
}
const noPause = (): undefined => undefined
const folder = mkdtempSync(join(tmpdir(), 'knowledge-originals-'))
const files = new UnnamedFiles(folder, 2 ** 30)
after(() => rmSync(folder, { recursive: true }))

/**
 * A step of an index's history: `save` restarts with the vectors in memory, `save and move` with the vectors in a file.
 */
type Change = IndexChange | ValueChange
type Step = Change | 'compact' | 'close' | 'save' | 'save and move'

function histories(dimensions: number) {
  return fc.array(
    fc.oneof(
      { weight: 12, arbitrary: documents(dimensions).map((put): Step => ({ seq: 0, put })) },
      { weight: 6, arbitrary: documents(dimensions).map((values): Step => valueChange(0, values.id, values, 0)) },
      { weight: 3, arbitrary: fc.nat(23).map((n): Step => ({ seq: 0, remove: `d${n}` })) },
      { weight: 1, arbitrary: fc.nat(23).map((n): Step => ({ seq: 0, unreadable: `d${n}` })) },
      { weight: 1, arbitrary: fc.constantFrom('compact' as const, 'close' as const) },
      { weight: 2, arbitrary: fc.constantFrom('save' as const, 'save and move' as const) },
    ),
    { maxLength: 60, size: 'max' },
  )
}

/** Returns the snapshot of an index. @param meanwhile runs once the index is captured, before anything is written */
async function snapshotOf(index: TenantIndex, meanwhile: () => void = () => undefined): Promise<Buffer> {
  const file: Buffer[] = []
  const writer = new SnapshotWriter(async (piece) => void file.push(Buffer.from(piece)))
  const capture = index.capture()
  meanwhile()
  for (const { segment } of capture.segments) await segment.freeze(noPause)
  await saveIndex(writer, identity, capture)
  index.endCapture(capture)
  return Buffer.concat(file)
}

async function indexFrom(file: Uint8Array, originals: IndexFiles | null = null): Promise<TenantIndex> {
  const read = async (into: Uint8Array, position: number): Promise<number> => {
    const piece = file.subarray(position, position + into.length)
    into.set(piece)
    return piece.length
  }
  const reader = new SnapshotReader(read, file.length)
  assert.deepEqual(await readIdentity(reader), identity)
  return loadIndex(reader, DEFINITION, memory, plainAnalyser, noPause, originals)
}

/** Returns the index as a restart reads it, after the changes that came while the file was written. */
async function restarted(
  index: TenantIndex,
  meanwhile: readonly Change[],
  originals: IndexFiles | null = null,
): Promise<TenantIndex> {
  const { reached } = index
  const file = await snapshotOf(index, () => applyAll(index, meanwhile))
  index.free()
  const fresh = await indexFrom(file, originals)
  assert.equal(fresh.reached, reached)
  applyAll(fresh, meanwhile)
  return fresh
}

function applyAll(index: TenantIndex, changes: readonly Change[]): void {
  for (const change of changes) {
    if ('rest' in change) index.applyValues(change)
    else index.apply(change)
    index.reached = change.seq
  }
}

function answersOf(index: TenantIndex, batch: readonly SearchRequest[]): string {
  return JSON.stringify(index.search(batch).map((answer) => (answer instanceof Error ? answer.message : answer)))
}

for (const dimensions of [1, 48]) {
  test(`an index from a snapshot that caught up answers byte for byte like one built anew (${dimensions} dimensions)`, async () => {
    const property = fc.asyncProperty(
      fc.array(histories(dimensions), { minLength: 1, maxLength: 3 }),
      fc.array(requests(dimensions), { minLength: 1, maxLength: 8 }),
      async (tenants, batch) => {
        // The tenants take turns, so that their snapshots are made and read among the memory of the others.
        const indexes = tenants.map(() => new TenantIndex(DEFINITION, memory, plainAnalyser))
        const applied = tenants.map((): Change[] => [])
        const lengthMax = Math.max(...tenants.map((history) => history.length))
        for (let at = 0; at < lengthMax; at++) {
          for (const [tenant, history] of tenants.entries()) {
            const step = history[at]
            const index = indexes[tenant]
            if (step === undefined) continue
            if (step === 'compact') await compact(index, noPause)
            else if (step === 'close') index.closeOpenSegment()
            else if (step === 'save' || step === 'save and move') {
              const next = history[at + 1]
              const isChange = next !== undefined && typeof next !== 'string'
              const meanwhile = isChange ? [{ ...next, seq: at + 1 }] : []
              applied[tenant].push(...meanwhile)
              indexes[tenant] = await restarted(index, meanwhile, step === 'save' ? null : files)
            } else {
              const change = { ...step, seq: at }
              applied[tenant].push(change)
              applyAll(index, [change])
            }
          }
        }
        for (const [tenant, index] of indexes.entries()) {
          const anew = new TenantIndex(DEFINITION, memory, plainAnalyser)
          applyAll(anew, applied[tenant])
          const again = await restarted(index, [])
          assert.equal(answersOf(again, batch), answersOf(anew, batch))
          assert.deepEqual([again.documents, again.unreadable], [anew.documents, anew.unreadable])
          anew.free()
          again.free()
        }
      },
    )
    const before = arena.used
    await fc.assert(property, { numRuns: inTier({ gate: 25, all: 100 }) })
    assert.ok(arena.used <= before + 2 ** 20, 'memory of freed indexes stays in use')
  })
}

test('a flipped or cut byte anywhere in a snapshot is noticed, and all memory is free again', async () => {
  const damage = fc.tuple(fc.nat(), fc.nat(7), fc.boolean())
  const property = fc.asyncProperty(
    fc.array(documents(5), { minLength: 1, maxLength: 12 }),
    fc.array(damage, { minLength: 20, maxLength: 20 }),
    async (puts, damages) => {
      const index = new TenantIndex(DEFINITION, memory, plainAnalyser)
      applyAll(
        index,
        puts.map((put, seq) => ({ seq, put })),
      )
      const file = await snapshotOf(index)
      index.free()
      const before = arena.used
      for (const [place, bit, isCut] of damages) {
        const at = place % file.length
        const damaged = Buffer.from(isCut ? file.subarray(0, at) : file)
        if (!isCut) damaged[at] ^= 1 << bit
        await assert.rejects(indexFrom(damaged), SnapshotDamaged)
        assert.equal(arena.used, before)
      }
    },
  )
  await fc.assert(property, { numRuns: inTier({ gate: 5, all: 20 }) })
})

test('a snapshot has the title of no deleted document, not even of one deleted while it is written', async () => {
  const index = new TenantIndex(DEFINITION, memory, plainAnalyser)
  const put = (id: string, sortText: string): IndexChange => ({
    seq: 1,
    put: { ...document(id, 'lamp'), sortText },
  })
  applyAll(index, [put('a', 'title that stays'), put('b', 'title that goes'), put('c', 'title that goes later')])
  applyAll(index, [{ seq: 2, remove: 'b' }])
  const file = await snapshotOf(index, () => applyAll(index, [{ seq: 3, remove: 'c' }]))
  assert.ok(file.includes('title that stays'))
  assert.ok(!file.includes('title that goes'))
  const { bytes } = index.size
  applyAll(index, [{ seq: 4, remove: 'a' }])
  assert.ok(index.size.bytes < bytes)
})
