/**
 * Reclaims the slots of dead documents: segments that have many, or that are small, are copied into one.
 * Copying stops now and then to let searches through; changes that arrive meanwhile go to the old segments
 * and are carried over at the end.
 */
import type { Pause } from '../../platform/threads/slices.ts'
import { PARTITIONS } from '../analysis/analysis.ts'
import { hasBit } from './bitset.ts'
import { type MemorySize, sumOf } from './memory-size.ts'
import {
  frequencyNumberOf,
  ROWS_MAX,
  type Segment,
  SLOTS_MAX,
  slotOf,
  TERMS_FULL,
  VECTOR_BYTES_FULL,
} from './segment.ts'
import type { TenantIndex } from './tenant-index.ts'

/** Share of dead slots from which a segment is worth copying. */
const DEAD_SHARE = 0.3
/** A segment with fewer slots than this is not looked at for its dead ones. */
const SLOTS_MIN = 256
/** How much of a segment may be filled by merging, so that a merged one is not merged again at once. */
const FILL_MAX = 0.9

function isWorn(segment: Segment): boolean {
  return segment.slots >= SLOTS_MIN && segment.slots - segment.aliveCount >= DEAD_SHARE * segment.slots
}

/** The share of a segment that its living documents take, with their passages, terms and vectors. */
function filling(segment: Segment): number {
  const share = segment.aliveCount / Math.max(1, segment.slots)
  return Math.max(
    segment.aliveCount / SLOTS_MAX,
    (share * segment.passageStarts.length) / ROWS_MAX,
    (share * segment.termCount) / TERMS_FULL,
    (share * (segment.vectors?.usedBytes ?? 0)) / VECTOR_BYTES_FULL,
  )
}

function livingSize({ size: { bytes, heapBytes }, aliveCount, slots }: Segment): MemorySize {
  const share = aliveCount / Math.max(1, slots)
  return { bytes: bytes * share, heapBytes: heapBytes * share }
}

/** The closed segments to copy into one, fewest documents first; empty when there is nothing to gain. */
function chooseSegments(index: TenantIndex): Segment[] {
  const open = index.segments.at(-1)!
  if (isWorn(open)) index.closeOpenSegment()
  const closed = index.segments.filter((segment) => segment.closed)
  const worn = closed.filter((segment) => isWorn(segment) || filling(segment) < 0.5)
  const chosen: Segment[] = []
  let filled = 0
  for (const segment of worn.toSorted((a, b) => filling(a) - filling(b))) {
    filled += filling(segment)
    if (chosen.length > 0 && filled > FILL_MAX) break
    chosen.push(segment)
  }
  return chosen.length > 1 || chosen.some(isWorn) ? chosen : []
}

/**
 * One compaction when one is due; whether there was one.
 * @param pause called often; the index may change, be searched or be freed while it waits
 * @param hasRoom whether a copy of about this size may stand beside the segments it is made of
 */
export async function compact(
  index: TenantIndex,
  pause: Pause,
  hasRoom: (copy: MemorySize) => boolean = () => true,
): Promise<boolean> {
  const old = chooseSegments(index)
  if (old.length === 0 || !hasRoom(sumOf(old.map(livingSize)))) return false
  const merged = index.newSegment()
  try {
    const origins: { segment: Segment; slot: number }[] = []
    for (const segment of old) {
      const copies = await copyDocuments(segment, merged, origins, pause, () => index.freed)
      if (!index.freed) await copyPostings(segment, merged, copies, pause, () => index.freed)
    }
    if (index.freed) index.discard(merged)
    else index.replace(old, merged, origins)
  } catch (error) {
    index.discard(merged)
    throw error
  }
  return true
}

/** Copies the columns of the living; returns each old slot's new one, -1 where it was dead. */
async function copyDocuments(
  from: Segment,
  to: Segment,
  origins: { segment: Segment; slot: number }[],
  pause: Pause,
  stopped: () => boolean,
): Promise<Int32Array> {
  const copies = new Int32Array(from.slots).fill(-1)
  for (let slot = 0; slot < copies.length && !stopped(); slot++) {
    if (!hasBit(from.alive, slot)) continue
    copies[slot] = to.copyColumns(from, slot)
    origins.push({ segment: from, slot })
    const waiting = pause()
    if (waiting !== undefined) await waiting
  }
  return copies
}

/** Carries over the postings of what was copied. New slots ascend with the old ones, so lists stay ordered. */
async function copyPostings(
  from: Segment,
  to: Segment,
  copies: Int32Array,
  pause: Pause,
  stopped: () => boolean,
): Promise<void> {
  const values = new Uint32Array(SLOTS_MAX)
  for (const [value, id] of from.keys.terms()) {
    if (stopped()) return
    const count = from.keys.read(id, values)
    for (let i = 0; i < count; i++) if (copies[values[i]] >= 0) to.appendKey(value, copies[values[i]])
    const waiting = pause()
    if (waiting !== undefined) await waiting
  }
  for (const partition of PARTITIONS) {
    for (const [term, id] of from.terms[partition].terms()) {
      if (stopped()) return
      const count = from.terms[partition].read(id, values)
      for (let i = 0; i < count; i++) {
        const slot = copies[slotOf(values[i])]
        if (slot < 0) continue
        const posting = to.pack(slot, from.frequencies[frequencyNumberOf(values[i])])
        to.terms[partition].append(term, posting)
      }
      const waiting = pause()
      if (waiting !== undefined) await waiting
    }
  }
}
