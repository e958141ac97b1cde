/**
 * Sets of slots that last for one batch of searches. They are lent again for the next: making them anew, tens of
 * them for each search, costs more than what is done with them.
 */
import type { Bits } from './bitset.ts'

/** By number of words, all sets there are, and how many of them are lent. */
const rooms = new Map<number, { readonly sets: Bits[]; lent: number }>()

/** An empty set of so many words of 32 slots, good until `endBorrowing`. */
export function borrowBits(words: number): Bits {
  return borrow(words).fill(0)
}

/** A copy of a set, good until `endBorrowing`. */
export function borrowCopy(bits: Bits): Bits {
  const copy = borrow(bits.length)
  copy.set(bits)
  return copy
}

/** Takes all sets back. */
export function endBorrowing(): void {
  for (const [words, room] of rooms) {
    // Segments grow: what no search of this batch needed, none will.
    if (room.lent === 0) rooms.delete(words)
    room.lent = 0
  }
}

function borrow(words: number): Bits {
  let room = rooms.get(words)
  if (room === undefined) rooms.set(words, (room = { sets: [], lent: 0 }))
  return (room.sets[room.lent++] ??= new Uint32Array(words))
}
