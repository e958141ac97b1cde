/** Multipliers of the two halves of a hash: odd numbers near 2^32 divided by the golden ratio and by the root of two. */
const FACTORS = [0x9e3779b1, 0xb504f333] as const
/** Bits of the upper half that fit a double beside the lower half. */
const UPPER_BITS = 21

/**
 * Returns a hash of some values, by which a replica sees that none of them has changed. It has 53 bits, so two lists
 * of values that differ have the same hash once in 9 x 10^15 comparisons. Each half is a multiplicative hash (Knuth,
 * The Art of Computer Programming, volume 3, section 6.4) over the UTF-16 units.
 */
export function signatureOf(values: readonly (string | number | null)[]): number {
  let lower = 0
  let upper = 1
  const add = (unit: number): void => {
    lower = Math.imul(lower ^ unit, FACTORS[0])
    lower ^= lower >>> 15
    upper = Math.imul(upper ^ unit, FACTORS[1])
    upper ^= upper >>> 13
  }
  for (const value of values) {
    const text = value === null ? '' : String(value)
    // The length keeps two values apart from their join, and no value has the length -1.
    add(value === null ? -1 : text.length)
    for (let i = 0; i < text.length; i++) add(text.charCodeAt(i))
  }
  return (upper >>> (32 - UPPER_BITS)) * 2 ** 32 + (lower >>> 0)
}
