/**
 * Sets of slots that live for one batch of searches and are reused by the next. A search needs dozens of them, and
 * allocating them each time costs more than the work done with them.
 */
import type { Bits } from './bitset.ts'

/** By number of words: all sets of that size, and how many of them are in use. */
const rooms = new Map<number, { readonly sets: Bits[]; lent: number }>()

/** An empty set of `words` words of 32 slots, valid until `endBorrowing`. */
export function borrowBits(words: number): Bits {
  return borrow(words).fill(0)
}

/** A copy of a set, valid until `endBorrowing`. */
export function borrowCopy(bits: Bits): Bits {
  const copy = borrow(bits.length)
  copy.set(bits)
  return copy
}

/** Ends the use of all sets. */
export function endBorrowing(): void {
  for (const [words, room] of rooms) {
    // Segments grow, so a size that this batch did not use is not needed again.
    if (room.lent === 0) rooms.delete(words)
    room.lent = 0
  }
}

function borrow(words: number): Bits {
  let room = rooms.get(words)
  if (room === undefined) rooms.set(words, (room = { sets: [], lent: 0 }))
  return (room.sets[room.lent++] ??= new Uint32Array(words))
}
