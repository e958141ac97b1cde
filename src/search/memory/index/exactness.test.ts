import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import type { IndexDocument, SearchRequest } from '../../engine.ts'
import { naiveSearch, plainAnalyser } from '../../../../test/support/search/naive.ts'
import { Arena } from '../columns/arena.ts'
import { compact } from './compaction.ts'
import { UnnamedFiles } from '../columns/index-files.ts'
import { TenantIndex } from './tenant-index.ts'
import { DEFINITION, documents } from '../../../../test/support/search/documents.ts'
import { assertSameAnswer } from '../../../../test/support/search/same-answer.ts'
import { requests, shortRequests } from '../../../../test/support/search/requests.ts'
import { inTier } from '../../../../test/support/tier.ts'
import { putOf, valueChange, withValues } from '../../../../test/support/search/values.ts'
import { languageAnalyser } from '../../indexing/text-analyser.ts'
import { createVectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'

const arena = new Arena()
const memories = {
  relaxed: createVectorMemory(arena, loadKernel(arena.memory)),
  plain: createVectorMemory(arena, loadKernel(arena.memory, 'plain')),
}

const folder = mkdtempSync(join(tmpdir(), 'knowledge-index-files-'))
const files = new UnnamedFiles(folder, 2 ** 30)
after(() => rmSync(folder, { recursive: true }))

async function moveOriginals({ segments }: TenantIndex): Promise<void> {
  for (const { closed, vectors } of segments) if (closed) await vectors?.moveOriginals(files, () => undefined)
}

async function pageOut(index: TenantIndex): Promise<void> {
  assert.ok(await index.pages.layOut(files, () => undefined))
  index.pages.pageOut()
  assert.ok(!index.pages.canPageOut)
}

/** Returns the steps of an index's history: changes, moves and searches. */
function steps(dimensions: number) {
  return fc.array(
    fc.oneof(
      { weight: 12, arbitrary: documents(dimensions).map((put) => ({ put })) },
      { weight: 2, arbitrary: fc.nat(23).map((n) => ({ remove: `d${n}` })) },
      { weight: 8, arbitrary: documents(dimensions).map((values) => ({ values })) },
      { weight: 1, arbitrary: fc.constant('compact' as const) },
      {
        weight: 1,
        arbitrary: fc.record({ amid: fc.array(documents(dimensions), { maxLength: 3 }), pauses: fc.nat(40) }),
      },
      { weight: 1, arbitrary: fc.constant('close' as const) },
      { weight: 1, arbitrary: fc.constant('close and move' as const) },
      { weight: 2, arbitrary: fc.constant('page out' as const) },
      { weight: 2, arbitrary: requests(dimensions).map((search) => ({ search })) },
    ),
    { maxLength: 60, size: 'max' },
  )
}

function assertSame(
  index: TenantIndex,
  living: Map<string, IndexDocument>,
  batch: SearchRequest[],
  analyser = plainAnalyser,
  seqs: ReadonlyMap<string, number> | null = null,
) {
  index.pages.pageIn()
  const answers = index.search(batch)
  for (const [i, request] of batch.entries()) {
    const answer = answers[i]
    if (answer instanceof Error) throw answer
    const expected = naiveSearch(DEFINITION, living.values(), request, analyser)
    assertSameAnswer(answer, expected, seqs)
  }
}

for (const variant of ['relaxed', 'plain'] as const) {
  for (const dimensions of [1, 5, 48]) {
    test(`answers equal brute force after changes, compactions, and moves to files and back (${variant}, ${dimensions} dimensions)`, async () => {
      const property = fc.asyncProperty(
        steps(dimensions),
        fc.array(
          requests(dimensions),
          inTier({ gate: { minLength: 6, maxLength: 16 }, all: { minLength: 1, maxLength: 10 } }),
        ),
        async (history, last) => {
          const index = new TenantIndex(DEFINITION, memories[variant], plainAnalyser)
          const living = new Map<string, IndexDocument>()
          const seqs = new Map<string, number>()
          const textSeqs = new Map<string, number>()
          const replaceValues = (seq: number, values: IndexDocument): void => {
            const before = living.get(values.id)
            if (before === undefined) return
            assert.equal(index.applyValues(valueChange(seq, values.id, values, textSeqs.get(values.id)!)), false)
            living.set(values.id, withValues(before, values))
            seqs.set(values.id, seq)
          }
          for (const [place, step] of history.entries()) {
            const seq = (place + 1) * 10
            if (step === 'compact') {
              index.pages.pageIn()
              await compact(index, () => undefined)
            } else if (step === 'page out') await pageOut(index)
            else if (step === 'close') index.closeOpenSegment()
            else if (step === 'close and move') {
              index.closeOpenSegment()
              await moveOriginals(index)
            } else if ('search' in step) assertSame(index, living, [step.search], plainAnalyser, seqs)
            else if ('values' in step) {
              index.pages.pageIn()
              replaceValues(seq, step.values)
            } else if ('amid' in step) {
              index.pages.pageIn()
              let pauses = 0
              await compact(index, () => {
                if (++pauses === step.pauses) step.amid.forEach((values, i) => replaceValues(seq + i, values))
                return undefined
              })
            } else if ('put' in step) {
              index.apply(putOf(seq, step.put))
              living.set(step.put.id, step.put)
              seqs.set(step.put.id, seq)
              textSeqs.set(step.put.id, seq)
            } else {
              index.apply({ seq, ...step })
              living.delete(step.remove)
            }
          }
          assert.equal(index.documents, living.size)
          assertSame(index, living, last, plainAnalyser, seqs)
          index.free()
        },
      )
      await fc.assert(property, { numRuns: inTier({ gate: 25, all: 150 }) })
    })
  }
}

test('a few letters that are typed again get the answer for their filter, page, facets and view, also when it is kept', () => {
  const puts = fc.array(documents(1), { minLength: 6, maxLength: 24 })
  // Each request differs from the first in one thing, so that answers cached under too short a key are mixed up.
  const alike = fc
    .tuple(shortRequests(1), shortRequests(1), fc.infiniteStream(fc.nat(6)))
    .map(([first, other, stream]) => {
      const changes = [
        { filter: other.filter },
        { offset: other.offset },
        { limit: other.limit },
        { groups: other.groups },
        { facets: other.facets },
        { visible: other.visible },
        { query: other.query },
      ]
      const steps = Array.from({ length: 12 }, () => changes[stream.next().value])
      return [
        first,
        ...changes.map((change) => ({ ...first, ...change })),
        ...steps.map((step) => ({ ...first, ...step })),
      ]
    })
  const property = fc.property(puts, alike, documents(1), (before, batch, put) => {
    const index = new TenantIndex(DEFINITION, memories.relaxed, plainAnalyser)
    const living = new Map<string, IndexDocument>()
    const add = (document: IndexDocument): void => {
      index.apply({ seq: 1, put: document })
      living.set(document.id, document)
    }
    for (const document of before) add(document)
    assertSame(index, living, batch)
    index.closeOpenSegment()
    add(put)
    assertSame(index, living, batch)
    // Removes a document of the first segment, while the last segment holds the cached answers.
    index.apply({ seq: 2, remove: before[0].id })
    living.delete(before[0].id)
    assertSame(index, living, batch)
    index.free()
  })
  fc.assert(property, { numRuns: inTier({ gate: 15, all: 60 }) })
})

test('no boost moves a hit by more than three places, under any filter and grouping, and pages show each hit once', () => {
  const boosts = fc.array(
    fc.record({ id: fc.nat(29).map((n) => `d${n}`), boost: fc.constantFrom(0.2, -0.2, 5, -5, 1e9) }),
    { minLength: 1, maxLength: 24 },
  )
  const property = fc.property(
    fc.array(documents(3), { minLength: 10, maxLength: 40 }),
    requests(3),
    boosts,
    fc.integer({ min: 1, max: 7 }),
    (puts, some, moved, pageLength) => {
      const index = new TenantIndex(DEFINITION, memories.relaxed, plainAnalyser)
      for (const [i, put] of puts.entries()) index.apply({ seq: 1, put: { ...put, id: `d${i}` } })
      const idsOf = (request: SearchRequest): string[] => {
        const [answer] = index.search([request])
        if (answer instanceof Error) throw answer
        return answer.hits.map((hit) => hit.id)
      }
      const plain = { ...some, boosts: undefined, offset: 0, limit: 100 }
      const [before, after] = [idsOf(plain), idsOf({ ...plain, boosts: moved })]
      assert.deepEqual(after.toSorted(), before.toSorted())
      for (const [place, id] of after.entries()) {
        assert.ok(Math.abs(place - before.indexOf(id)) <= 3, `${before.join(' ')} became ${after.join(' ')}`)
      }
      const pages = Array.from({ length: Math.ceil(before.length / pageLength) }, (_, page) =>
        idsOf({ ...plain, boosts: moved, offset: page * pageLength, limit: pageLength }),
      )
      assert.deepEqual(pages.flat(), after)
      index.free()
    },
  )
  fc.assert(property, { numRuns: inTier({ gate: 60, all: 300 }) })
})

test('answers equal brute force with the real text analysis', () => {
  const property = fc.property(
    fc.array(documents(3), { maxLength: 20 }),
    fc.array(requests(3), { minLength: 1, maxLength: 4 }),
    (puts, batch) => {
      const index = new TenantIndex(DEFINITION, memories.relaxed, languageAnalyser)
      for (const put of puts) index.apply({ seq: 1, put })
      assertSame(index, new Map(puts.map((put) => [put.id, put])), batch, languageAnalyser)
      index.free()
    },
  )
  fc.assert(property, { numRuns: inTier({ gate: 25, all: 100 }) })
})
