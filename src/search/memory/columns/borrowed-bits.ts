/**
 * Sets of slots that live for one batch of searches; the next batch uses their memory again. A search needs dozens of
 * sets, and allocating them each time costs more than the work done with them.
 */
import type { Bits } from './bitset.ts'

/** By number of 32-bit words: all sets of that size, and how many of them are in use. */
const pools = new Map<number, { readonly sets: Bits[]; used: number }>()

/** Returns an empty set of `bitWords` words of 32 slots, valid until `endBorrowing`. */
export function borrowBits(bitWords: number): Bits {
  return borrow(bitWords).fill(0)
}

/** Returns a copy of a set, valid until `endBorrowing`. */
export function borrowCopy(bits: Bits): Bits {
  const copy = borrow(bits.length)
  copy.set(bits)
  return copy
}

/** Ends the use of all sets. */
export function endBorrowing(): void {
  for (const [bitWords, pool] of pools) {
    // Segments grow, so a size that this batch did not use is not needed again.
    if (pool.used === 0) pools.delete(bitWords)
    pool.used = 0
  }
}

function borrow(bitWords: number): Bits {
  let pool = pools.get(bitWords)
  if (pool === undefined) pools.set(bitWords, (pool = { sets: [], used: 0 }))
  return (pool.sets[pool.used++] ??= new Uint32Array(bitWords))
}
