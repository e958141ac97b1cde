/** Compares the answer of an engine with the answer that the definition of search gives. */
import assert from 'node:assert/strict'
import type { HitExplanation, SearchAnswer } from '../../../src/search/engine.ts'
import type { naiveSearch } from './naive.ts'

/**
 * Fails unless an answer equals the expected one.
 * @param seqs by id the change that each hit must be from; null where the expected answer does not tell
 */
export function assertSameAnswer(
  answer: Omit<SearchAnswer, 'timing'>,
  expected: ReturnType<typeof naiveSearch>,
  seqs: ReadonlyMap<string, number> | null,
): void {
  assert.equal(answer.total, expected.total)
  assert.deepEqual(answer.facets, expected.facets)
  assert.deepEqual(answer.corrections, expected.corrections)
  assert.deepEqual(
    answer.hits.map((hit) => hit.id),
    expected.hits.map((hit) => hit.id),
  )
  for (const [h, hit] of answer.hits.entries()) {
    if (seqs !== null) assert.equal(hit.seq, seqs.get(hit.id))
    const other = expected.hits[h]
    assert.equal(hit.matched, other.matched)
    assert.ok(Math.abs(hit.similarity - Math.min(1, other.similarity)) <= 1e-12)
    assert.ok(Math.abs(hit.score - other.score) <= 1e-9)
    assert.equal(hit.relevance === undefined, other.relevance === undefined)
    assert.ok(Math.abs((hit.relevance ?? 0) - (other.relevance ?? 0)) <= 1e-9)
    assert.deepEqual(hit.passage, other.passage)
    assert.equal(hit.explanation === undefined, other.explanation === undefined)
    if (hit.explanation === undefined || other.explanation === undefined) continue
    assert.deepEqual(hit.explanation.passage, other.explanation.passage)
    assert.ok(Math.abs(hit.explanation.bm25 - other.explanation.bm25) <= 1e-9)
    assert.ok(Math.abs((hit.explanation.pin ?? 0) - (other.explanation.pin ?? 0)) <= 1e-9)
    assert.ok(Math.abs((hit.explanation.allWords ?? 0) - (other.explanation.allWords ?? 0)) <= 1e-9)
    assert.ok(Math.abs((hit.explanation.named ?? 0) - (other.explanation.named ?? 0)) <= 1e-9)
    assert.ok(Math.abs((hit.explanation.boost ?? 0) - (other.explanation.boost ?? 0)) <= 1e-9)
    assert.deepEqual(raisedBy(hit.explanation), raisedBy(other.explanation))
    assert.equal(hit.explanation.terms.length, other.explanation.terms.length)
    assertNear(hit.explanation.vectorWeight, other.explanation.vectorWeight)
    const { scaled } = other.explanation
    // A scale that changes nothing is left out of the explanation.
    if (hit.explanation.scaled === undefined) assertNear(hit.similarity, Math.min(1, scaled ?? other.similarity))
    else assertNear(hit.explanation.scaled, scaled ?? null)
    assertNear(hit.explanation.instead ?? 0, other.explanation.instead ?? 0)
    const coverage = [hit.explanation.coverage, other.explanation.coverage]
    assert.ok(coverage[0] === coverage[1] || Math.abs(coverage[0]! - coverage[1]!) <= 1e-9)
    for (const [t, term] of hit.explanation.terms.entries()) {
      const expectedTerm: HitExplanation['terms'][number] = other.explanation.terms[t]
      assert.equal(term.term, expectedTerm.term)
      assert.equal(term.typed, expectedTerm.typed)
      assert.equal(term.frequency, expectedTerm.frequency)
      assert.ok(Math.abs(term.idf - expectedTerm.idf) <= 1e-9)
      assert.ok(Math.abs(term.score - expectedTerm.score) <= 1e-9)
    }
  }
}

function assertNear(value: number | null, expected: number | null): void {
  assert.ok(value === expected || Math.abs(value! - expected!) <= 1e-9, `${value}, expected ${expected}`)
}

/**
 * Returns the raises of a hit, rounded, because the unit of a bonus is a sum that engines may take in another order.
 */
function raisedBy({ raises = [] }: HitExplanation): string[] {
  return raises.map(({ index, added }) => `${index}: ${added.toPrecision(9)}`)
}
