/** Finds an owner's newest documents among the columns of an index, without sorting all of them. */
import { hasBit } from '../columns/bitset.ts'
import type { Segment } from '../columns/segment.ts'

/** Ranges of changes into which documents are counted, to find about from which change on they are new enough. */
const RANGES = 1_024

interface Place {
  readonly segment: Segment
  readonly slot: number
  readonly textSeq: number
}

/**
 * Returns the living documents of an owner whose text changed last, the newest first.
 * @param owner number of the owner
 * @param bytes that the documents are to take together, at least; all of the owner's where they take less
 */
export function newestOf(segments: readonly Segment[], owner: number, bytes: number): readonly Place[] {
  let [first, last] = [Infinity, 0]
  eachOf(segments, owner, ({ textSeqs }, slot) => {
    first = Math.min(first, textSeqs[slot])
    last = Math.max(last, textSeqs[slot])
  })
  if (first === Infinity) return []
  const width = (last - first + 1) / RANGES
  const rangeOf = (textSeq: number): number => Math.floor((textSeq - first) / width)
  const sums = new Float64Array(RANGES)
  eachOf(segments, owner, ({ textSeqs, shares }, slot) => {
    sums[rangeOf(textSeqs[slot])] += shares[slot]
  })
  let from = RANGES
  for (let sum = 0; from > 0 && sum < bytes;) sum += sums[--from]
  const newest: Place[] = []
  eachOf(segments, owner, (segment, slot) => {
    const textSeq = segment.textSeqs[slot]
    if (rangeOf(textSeq) >= from) newest.push({ segment, slot, textSeq })
  })
  newest.sort((one, other) => other.textSeq - one.textSeq)
  let sum = 0
  const end = newest.findIndex(({ segment, slot }) => (sum += segment.shares[slot]) >= bytes)
  return end < 0 ? newest : newest.slice(0, end + 1)
}

/** Calls `visit` for each living document of an owner. */
function eachOf(segments: readonly Segment[], owner: number, visit: (segment: Segment, slot: number) => void): void {
  for (const segment of segments) {
    const { owners, alive, slots } = segment
    for (let slot = 0; slot < slots; slot++) if (owners[slot] === owner && hasBit(alive, slot)) visit(segment, slot)
  }
}
