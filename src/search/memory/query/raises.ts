import type { SearchRequest } from '../../engine.ts'
import { type Bits, hasBit, unite } from '../columns/bitset.ts'
import type { SegmentFilters } from './filters.ts'
import type { SearchPart } from './keyword.ts'

/** Scores that a request's raises add to documents, in the unit of the mode's score. */
export interface Raises {
  /** For each raise, the score that it adds, and by segment the documents that it raises. */
  readonly each: readonly { readonly bonus: number; readonly parts: readonly Bits[] }[]
  /** By segment and slot, the sum of all raises. */
  readonly sums: readonly Float64Array[]
  /** By segment, the documents that qualify without matching the query. */
  readonly qualifying: readonly Bits[]
  /** The most that the raises together add to a score or take away from it. */
  readonly most: number
}

/**
 * Returns the raises of a request, or null when it has none, as most requests.
 * @param unit the score that a bonus of 1 stands for
 */
export function raisesOf(
  { raises = [] }: SearchRequest,
  parts: readonly SearchPart[],
  filters: readonly SegmentFilters[],
  unit: number,
): Raises | null {
  if (raises.length === 0) return null
  const sums = parts.map(({ segment }) => new Float64Array(segment.bitWords * 32))
  const qualifying = parts.map(({ segment }) => new Uint32Array(segment.bitWords))
  let most = 0
  const each = raises.map(({ filter, bonus: share, qualifies }) => {
    const bonus = share * unit
    most += Math.abs(bonus)
    const raised = parts.map(({ eligible }, i) => filters[i].among(filter, eligible.bits))
    for (const [i, bits] of raised.entries()) {
      if (qualifies) unite(qualifying[i], bits)
      addTo(sums[i], bits, bonus)
    }
    return { bonus, parts: raised }
  })
  return { each, sums, qualifying, most }
}

function addTo(sums: Float64Array, bits: Bits, bonus: number): void {
  for (let i = 0; i < bits.length; i++) {
    for (let rest = bits[i]; rest !== 0; rest &= rest - 1) sums[(i << 5) + 31 - Math.clz32(rest & -rest)] += bonus
  }
}

/** Returns the raises that match a document, by their index in the request, for explanations. */
export function raisesAt({ each }: Raises, part: number, slot: number): { index: number; added: number }[] {
  return each.flatMap(({ bonus, parts }, index) => (hasBit(parts[part], slot) ? [{ index, added: bonus }] : []))
}
