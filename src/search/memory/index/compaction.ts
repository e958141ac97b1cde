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

/** Share of a segment, in slots or in bytes, that is dead from which on the segment is copied. */
const DEAD_SHARE = 0.3
/** Least slots of a segment whose dead documents count by their number. */
const SLOTS_MIN = 256
/** Least bytes of dead documents that count by their bytes: a few large ones take as much as thousands of others. */
const DEAD_BYTES_MIN = 2 ** 21
/** Share to which a merged segment is filled at most, so that it is not merged again soon. */
const FILL_MAX = 0.9

/** Tells whether much of a segment is dead, or many keys were replaced. */
function isWorn(segment: Segment): boolean {
  if (segment.deadBytes >= DEAD_BYTES_MIN && segment.aliveShare <= 1 - DEAD_SHARE) return true
  if (segment.slots >= SLOTS_MIN && segment.keys.isWorn) return true
  return segment.slots >= SLOTS_MIN && segment.slots - segment.aliveCount >= DEAD_SHARE * segment.slots
}

/**
 * Returns the share of a segment's capacity that its living documents use: slots, passages, terms or vectors, whichever
 * is most.
 */
function filling(segment: Segment): number {
  const share = segment.aliveShare
  return Math.max(
    segment.aliveCount / SLOTS_MAX,
    (share * segment.passageStarts.length) / ROWS_MAX,
    (share * segment.termCount) / TERMS_FULL,
    (share * (segment.vectors?.usedBytes ?? 0)) / VECTOR_BYTES_FULL,
  )
}

/** Returns the memory that a copy of the living documents takes, with original vectors that are in files now. */
function livingSize({ size: { bytes, heapBytes }, vectors, aliveCount, aliveShare }: Segment): MemorySize {
  const share = aliveCount === 0 ? 0 : aliveShare
  return { bytes: (bytes + (vectors?.fileBytes ?? 0)) * share, heapBytes: heapBytes * share }
}

/** What is worth a copy. */
export interface CompactionOptions {
  /** Whether memory is so short that every dead document counts. */
  readonly isPressed?: boolean
  /** Tells whether a segment of about this size fits in memory beside the old segments. */
  readonly hasRoom?: (copy: MemorySize) => boolean
}

/**
 * Returns the closed segments to copy into one, the least filled first; none if copying gains nothing or has no room.
 */
function chooseSegments(index: TenantIndex, { isPressed = false, hasRoom = () => true }: CompactionOptions): Segment[] {
  const isDue = (segment: Segment): boolean => isWorn(segment) || (isPressed && segment.deadBytes > 0)
  const closed = index.segments.filter((segment) => segment.closed)
  // Where memory is short, segments with nothing dead are not copied as well.
  const candidates = closed.filter((segment) => isDue(segment) || (!isPressed && filling(segment) < 0.5))
  const chosen: Segment[] = []
  let filled = 0
  for (const segment of candidates.toSorted((a, b) => filling(a) - filling(b))) {
    filled += filling(segment)
    if (chosen.length > 0 && filled > FILL_MAX) break
    chosen.push(segment)
  }
  while (chosen.length > 0 && !hasRoom(sumOf(chosen.map(livingSize)))) chosen.pop()
  return chosen.length > 1 || chosen.some(isDue) ? chosen : []
}

/**
 * Closes the open segment if much of it is dead, or anything while memory is short.
 * @returns whether a compaction is due; the index must be in memory while it runs
 */
export function prepareCompaction(index: TenantIndex, { isPressed = false }: CompactionOptions = {}): boolean {
  const open = index.segments.at(-1)!
  if (isWorn(open) || (isPressed && open.deadBytes > 0)) index.closeOpenSegment()
  return chooseSegments(index, { isPressed }).length > 0
}

/**
 * Runs one compaction if it is due.
 * @param pause called often; during a pause the index may be changed, searched or freed
 * @returns whether segments were replaced
 */
export async function compact(index: TenantIndex, pause: Pause, options: CompactionOptions = {}): Promise<boolean> {
  if (!prepareCompaction(index, options)) return false
  const old = chooseSegments(index, options)
  if (old.length === 0) return false
  const merged = index.newSegment()
  try {
    const origins: { segment: Segment; slot: number }[] = []
    for (const segment of old) {
      const copies = await copyDocuments(segment, merged, origins, pause, () => index.freed)
      if (!index.freed && copies.some((slot) => slot >= 0))
        await copyPostings(segment, merged, copies, pause, () => index.freed)
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
