/** Sets of slots as bits of a Uint32Array, lowest bit first. Bits past the last slot are always 0. */
export type Bits = Uint32Array<ArrayBuffer>

export function bitsFor(slots: number): Bits {
  return new Uint32Array((slots + 31) >>> 5)
}

/** A set of all slots below `slots`. */
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

export function unite(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] |= other[i]
}

/** Number of set bits. */
export function countBits(bits: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += countWord(bits[i])
  return count
}

/** Number of bits set in at least one of two sets of the same length. */
export function countUnion(bits: Uint32Array, other: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += countWord(bits[i] | other[i])
  return count
}

/** Number of bits of `bits` that are also set in `other`. */
export function countCommon(bits: Uint32Array, other: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += countWord(bits[i] & other[i])
  return count
}

/** Whether any bit is set in both sets, which have the same length. */
export function haveCommon(bits: Uint32Array, other: Uint32Array): boolean {
  for (let i = 0; i < bits.length; i++) if ((bits[i] & other[i]) !== 0) return true
  return false
}

/** Number of set bits (Warren, Hacker's Delight, 5-1). */
function countWord(bits: number): number {
  let word = bits - ((bits >>> 1) & 0x55555555)
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Writes the set slots to `into` in ascending order; `into` must have room for them. @returns how many there are */
export function listBits(bits: Uint32Array, into: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i]
    while (word !== 0) {
      into[count++] = (i << 5) + 31 - Math.clz32(word & -word)
      word &= word - 1
    }
  }
  return count
}
