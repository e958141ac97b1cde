/**
 * Bytes that a part of an index takes, computed from V8's layout on 64 bits without pointer compression. The part on
 * the thread's heap has its own bound, because a full heap ends the whole process.
 */
export interface MemorySize {
  /** All bytes: on the heap, in the arena and in typed arrays. */
  readonly bytes: number
  /** The part of `bytes` on the heap. */
  readonly heapBytes: number
}

export const NOTHING: MemorySize = { bytes: 0, heapBytes: 0 }

/** Bytes of a map's entry with its share of the buckets. */
const MAP_SLOT_BYTES = 28
const MAP_SLOTS_MIN = 4
const STRING_HEADER_BYTES = 16

/** Returns the bytes of a `Map` or `Set` that only grows: it has room for the next power of two. */
export function mapBytes(entries: number): number {
  return MAP_SLOT_BYTES * Math.max(MAP_SLOTS_MIN, 2 ** Math.ceil(Math.log2(entries)))
}

/** Returns the bytes of a string that shares its text with no other string. */
export function stringBytes(text: string): number {
  return STRING_HEADER_BYTES + Math.ceil((text.length * unitBytes(text)) / 8) * 8
}

function unitBytes(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return 2
  return 1
}

export function sumOf(sizes: Iterable<MemorySize>): MemorySize {
  let bytes = 0
  let heapBytes = 0
  for (const size of sizes) {
    bytes += size.bytes
    heapBytes += size.heapBytes
  }
  return { bytes, heapBytes }
}

/** Tells whether `size` and `more` together fit into `max`. */
export function fits(size: MemorySize, more: MemorySize, max: MemorySize): boolean {
  return size.bytes + more.bytes <= max.bytes && size.heapBytes + more.heapBytes <= max.heapBytes
}
