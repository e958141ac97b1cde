/**
 * A set of slots as bits of 32-bit words, lowest bit first. Bits past the last slot are always 0. A loop over the bits
 * of a word takes the lowest bit, `rest & -rest`, and clears it by `rest &= rest - 1`.
 */
export type Bits = Uint32Array<ArrayBuffer>

/** Returns an empty set with room for `slots` slots. */
export function bitsFor(slots: number): Bits {
  return new Uint32Array((slots + 31) >>> 5)
}

/** Returns the set of all slots below `slots`. */
export function fullBits(slots: number): Bits {
  const bits = bitsFor(slots).fill(0xffffffff)
  if ((slots & 31) !== 0) bits[bits.length - 1] = (2 ** (slots & 31) - 1) >>> 0
  return bits
}

export function hasBit(bits: Uint32Array, slot: number): boolean {
  return ((bits[slot >>> 5] >>> (slot & 31)) & 1) === 1
}

export function setBit(bits: Uint32Array, slot: number): void {
  bits[slot >>> 5] |= 1 << (slot & 31)
}

export function clearBit(bits: Uint32Array, slot: number): void {
  bits[slot >>> 5] &= ~(1 << (slot & 31))
}

/** Keeps only the bits of `target` that are also set in `other`. */
export function intersect(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] &= other[i]
}

/** Clears the bits of `target` that are set in `other`. */
export function subtract(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] &= ~other[i]
}

/** Sets the bits of `target` that are set in `other`. */
export function unite(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] |= other[i]
}

/** Counts the set bits. */
export function countBits(bits: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += countWord(bits[i])
  return count
}

/** Counts the bits that are set in at least one of two sets of the same length. */
export function countUnion(bits: Uint32Array, other: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += countWord(bits[i] | other[i])
  return count
}

/** Counts the bits of `bits` that are also set in `other`. */
export function countCommon(bits: Uint32Array, other: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += countWord(bits[i] & other[i])
  return count
}

/** Tells whether any bit is set in both of two sets of the same length. */
export function haveCommon(bits: Uint32Array, other: Uint32Array): boolean {
  for (let i = 0; i < bits.length; i++) if ((bits[i] & other[i]) !== 0) return true
  return false
}

/** Counts the set bits of a word (Warren, Hacker's Delight, 5-1). */
function countWord(bits: number): number {
  let word = bits - ((bits >>> 1) & 0x55555555)
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Writes the set slots to `into` in ascending order; `into` must have room for them. @returns how many there are */
export function listBits(bits: Uint32Array, into: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    for (let rest = bits[i]; rest !== 0; rest &= rest - 1) into[count++] = (i << 5) + 31 - Math.clz32(rest & -rest)
  }
  return count
}
