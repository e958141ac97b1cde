import type { SearchRequest } from '../../engine.ts'
import { type Bits, hasBit, unite } from '../columns/bitset.ts'
import type { SegmentFilters } from './filters.ts'
import type { SearchPart } from './keyword.ts'

/** What a request's raises add to the scores of documents. */
export interface Raises {
  /** By raise and segment, the documents that it raises, and what it adds in the unit of the mode's score. */
  readonly each: readonly { readonly bonus: number; readonly parts: readonly Bits[] }[]
  /** By segment, what all raises together add to each slot. */
  readonly sums: readonly Float64Array[]
  /** By segment, the documents that qualify without matching the query. */
  readonly qualifying: readonly Bits[]
  /** The most that is added or taken away anywhere. */
  readonly most: number
}

/**
 * @param unit the score that a bonus of 1 stands for
 * @returns null when the request raises nothing, as most do
 */
export function raisesOf(
  { raises = [] }: SearchRequest,
  parts: readonly SearchPart[],
  filters: readonly SegmentFilters[],
  unit: number,
): Raises | null {
  if (raises.length === 0) return null
  const sums = parts.map(({ segment }) => new Float64Array(segment.words * 32))
  const qualifying = parts.map(({ segment }) => new Uint32Array(segment.words))
  let most = 0
  const each = raises.map(({ filter, bonus, qualifies }) => {
    const added = bonus * unit
    most += Math.abs(added)
    const raised = parts.map(({ eligible }, i) => filters[i].among(filter, eligible.bits))
    for (const [i, bits] of raised.entries()) {
      if (qualifies) unite(qualifying[i], bits)
      addTo(sums[i], bits, added)
    }
    return { bonus: added, parts: raised }
  })
  return { each, sums, qualifying, most }
}

function addTo(sums: Float64Array, bits: Bits, added: number): void {
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i]; word !== 0; word &= word - 1) sums[(i << 5) + 31 - Math.clz32(word & -word)] += added
  }
}

/** The raises that match a document, by their index, for explanations. */
export function raisesAt({ each }: Raises, part: number, slot: number): { index: number; added: number }[] {
  return each.flatMap(({ bonus, parts }, index) => (hasBit(parts[part], slot) ? [{ index, added: bonus }] : []))
}
