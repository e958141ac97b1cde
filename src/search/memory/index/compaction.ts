/**
 * Reclaims the slots of dead documents: copies segments with many dead documents, and small segments, into one. Copying
 * pauses to let searches run. Changes that arrive meanwhile go to the old segments, and the end of the compaction
 * carries them over.
 */
import type { Pause } from '../../../platform/threads/slices.ts'
import { PARTITIONS } from '../../analysis/analysis.ts'
import { hasBit } from '../columns/bitset.ts'
import { type MemorySize, sumOf } from '../columns/memory-size.ts'
import {
  frequencyNumberOf,
  ROWS_MAX,
  type Segment,
  SLOTS_MAX,
  slotOf,
  TERMS_FULL,
  VECTOR_BYTES_FULL,
} from '../columns/segment.ts'
import type { TenantIndex } from './tenant-index.ts'

/** Share of dead slots from which on a segment is copied. */
const DEAD_SHARE = 0.3
/** Least slots of a segment whose dead documents count. */
const SLOTS_MIN = 256
/** Share to which a merged segment is filled at most, so that it is not merged again soon. */
const FILL_MAX = 0.9

/** Tells whether many slots of a segment are dead, or many keys were replaced. */
function isWorn(segment: Segment): boolean {
  if (segment.slots >= SLOTS_MIN && segment.keys.isWorn) return true
  return segment.slots >= SLOTS_MIN && segment.slots - segment.aliveCount >= DEAD_SHARE * segment.slots
}

/**
 * Returns the share of a segment's capacity that its living documents use: slots, passages, terms or vectors, whichever
 * is most.
 */
function filling(segment: Segment): number {
  const share = segment.aliveCount / Math.max(1, segment.slots)
  return Math.max(
    segment.aliveCount / SLOTS_MAX,
    (share * segment.passageStarts.length) / ROWS_MAX,
    (share * segment.termCount) / TERMS_FULL,
    (share * (segment.vectors?.usedBytes ?? 0)) / VECTOR_BYTES_FULL,
  )
}

/** Returns the memory that a copy of the living documents takes, with original vectors that are in files now. */
function livingSize({ size: { bytes, heapBytes }, vectors, aliveCount, slots }: Segment): MemorySize {
  const share = aliveCount / Math.max(1, slots)
  return { bytes: (bytes + (vectors?.fileBytes ?? 0)) * share, heapBytes: heapBytes * share }
}

/** Returns the closed segments to copy into one, the least filled first; none if copying gains nothing. */
function chooseSegments(index: TenantIndex): Segment[] {
  const closed = index.segments.filter((segment) => segment.closed)
  const candidates = closed.filter((segment) => isWorn(segment) || filling(segment) < 0.5)
  const chosen: Segment[] = []
  let filled = 0
  for (const segment of candidates.toSorted((a, b) => filling(a) - filling(b))) {
    filled += filling(segment)
    if (chosen.length > 0 && filled > FILL_MAX) break
    chosen.push(segment)
  }
  return chosen.length > 1 || chosen.some(isWorn) ? chosen : []
}

/**
 * Closes the open segment if many of its documents are dead.
 * @returns whether a compaction is due; the index must be in memory while it runs
 */
export function prepareCompaction(index: TenantIndex): boolean {
  if (isWorn(index.segments.at(-1)!)) index.closeOpenSegment()
  return chooseSegments(index).length > 0
}

/**
 * Runs one compaction if it is due.
 * @param pause called often; during a pause the index may be changed, searched or freed
 * @param hasRoom tells whether a segment of about this size fits in memory beside the old segments
 * @returns whether segments were replaced
 */
export async function compact(
  index: TenantIndex,
  pause: Pause,
  hasRoom: (copy: MemorySize) => boolean = () => true,
): Promise<boolean> {
  if (!prepareCompaction(index)) return false
  const old = chooseSegments(index)
  if (!hasRoom(sumOf(old.map(livingSize)))) return false
  const merged = index.newSegment()
  try {
    const origins: { segment: Segment; slot: number }[] = []
    for (const segment of old) {
      const copies = await copyDocuments(segment, merged, origins, pause, () => index.freed)
      if (!index.freed) await copyPostings(segment, merged, copies, pause, () => index.freed)
    }
    if (index.freed) {
      index.discard(merged)
      return false
    }
    index.replace(old, merged, origins)
  } catch (error) {
    index.discard(merged)
    throw error
  }
  return true
}

/** Copies the columns of living documents. @returns by old slot the new slot; -1 for a dead document */
async function copyDocuments(
  from: Segment,
  to: Segment,
  origins: { segment: Segment; slot: number }[],
  pause: Pause,
  isStopped: () => boolean,
): Promise<Int32Array> {
  const copies = new Int32Array(from.slots).fill(-1)
  for (let slot = 0; slot < copies.length && !isStopped(); slot++) {
    if (!hasBit(from.alive, slot)) continue
    copies[slot] = to.copyColumns(from, slot)
    origins.push({ segment: from, slot })
    const waiting = pause()
    if (waiting !== undefined) await waiting
  }
  return copies
}

/** Copies the postings of the copied documents. New slots are in the order of the old slots, so lists stay ordered. */
async function copyPostings(
  from: Segment,
  to: Segment,
  copies: Int32Array,
  pause: Pause,
  isStopped: () => boolean,
): Promise<void> {
  const values = new Uint32Array(SLOTS_MAX)
  for (const [term, slots] of from.keys.terms()) {
    if (isStopped()) return
    for (const slot of slots) if (copies[slot] >= 0) to.appendKey(term, copies[slot])
    const waiting = pause()
    if (waiting !== undefined) await waiting
  }
  for (const partition of PARTITIONS) {
    for (const [term, id] of from.terms[partition].terms()) {
      if (isStopped()) return
      const count = from.terms[partition].read(id, values)
      for (let i = 0; i < count; i++) {
        const slot = copies[slotOf(values[i])]
        if (slot < 0) continue
        const number = frequencyNumberOf(values[i])
        const posting = to.pack(slot, from.frequencies[number], from.areNamed[number])
        to.terms[partition].append(term, posting)
      }
      const waiting = pause()
      if (waiting !== undefined) await waiting
    }
  }
}
