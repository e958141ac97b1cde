import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Filter, IndexDocument } from '../../engine.ts'
import { matches, plainAnalyser } from '../../../../test/support/search/naive.ts'
import { Arena } from '../columns/arena.ts'
import { countBits, hasBit } from '../columns/bitset.ts'
import { checkFilter, SegmentFilters } from './filters.ts'
import { FacetValues } from '../columns/facet-column.ts'
import { PropertyValues } from '../columns/property-column.ts'
import { prepare } from '../../indexing/prepared-document.ts'
import { Segment } from '../columns/segment.ts'
import { DEFINITION, documents, filters } from '../../../../test/support/search/documents.ts'
import { inTier } from '../../../../test/support/tier.ts'
import { createVectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'

const CHANGE = { seq: 1, textSeq: 1, signature: NaN }

const arena = new Arena()
const memory = createVectorMemory(arena, loadKernel(arena.memory))

test('a set has exactly the living documents that match, however often it is computed and whatever changes between', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: documents(2).map((put) => ({ put })) },
    { weight: 1, arbitrary: fc.nat(40).map((kill) => ({ kill })) },
    { weight: 6, arbitrary: fc.array(filters, { minLength: 1, maxLength: 2 }).map((ask) => ({ ask })) },
  )
  const property = fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
    const facetValues = { level: new FacetValues(), owner: new FacetValues() }
    const segment = new Segment(0, DEFINITION, memory, facetValues, new PropertyValues())
    const sets = new SegmentFilters(segment)
    const puts: (IndexDocument | null)[] = []
    for (const each of steps) {
      if ('put' in each) {
        segment.append(prepare(DEFINITION, each.put, plainAnalyser), { group: 0, owner: 0 }, CHANGE)
        puts.push(each.put)
      } else if ('kill' in each) {
        if (each.kill >= puts.length) continue
        segment.kill(each.kill)
        puts[each.kill] = null
      } else {
        const set = sets.matching(each.ask, countBits)
        for (const [slot, put] of puts.entries()) {
          const expected: boolean = put !== null && each.ask.every((filter) => matches(filter, put))
          assert.equal(hasBit(set.bits, slot), expected)
        }
        assert.equal(set.count, countBits(set.bits))
        assert.equal(set.isWhole, set.count === puts.length)
      }
    }
    segment.free()
  })
  fc.assert(property, { numRuns: inTier({ gate: 40, all: 150 }) })
})

test('the set of a range stays cached while its bound moves past no value', () => {
  const segment = new Segment(0, DEFINITION, memory, {})
  const sets = new SegmentFilters(segment)
  const at = (above: number): Filter => ({ number: 'expires', above, below: null, orMissing: false })
  const base = { language: 'en', changedAt: 0, group: 'g', text: {}, keys: {}, passages: [] }
  for (const expires of [10, 20]) {
    segment.append(
      prepare(DEFINITION, { ...base, id: `${expires}`, numbers: { expires } }, plainAnalyser),
      { group: 0, owner: 0 },
      CHANGE,
    )
  }
  assert.equal(sets.matching([at(11)], countBits), sets.matching([at(19.5)], countBits))
  assert.notEqual(sets.matching([at(11)], countBits), sets.matching([at(20)], countBits))
  assert.equal(sets.matching([at(10)], countBits).count, 1)
  assert.equal(sets.matching([at(20)], countBits).count, 0)
})

test('a filter on an undeclared field is refused, however deeply it is nested', () => {
  const wrong: Filter[] = [
    { field: 'nonsense', anyOf: [] },
    { number: 'level', above: null, below: null, orMissing: true },
    { all: [{ any: [{ not: { field: 'nonsense', anyOf: [] } }] }] },
  ]
  for (const filter of wrong) assert.throws(() => checkFilter(DEFINITION, filter), RangeError)
  checkFilter(DEFINITION, { any: [{ not: { field: 'owner', anyOf: ['ann'] } }] })
})
