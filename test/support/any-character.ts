import * as fc from 'fast-check'

const HALVES_AT = 0xd800
const HALVES = 0x800

/**
 * Any character but half of a surrogate pair, as a unit of texts. The unit `binary` of fast-check is the same, but
 * lists all of them in every process before the first is taken, which takes more than a second.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - HALVES }).map(characterAt, placeOf)

function characterAt(place: number): string {
  return String.fromCodePoint(place < HALVES_AT ? place : place + HALVES)
}

/** @throws for what is not one character: that cannot be made smaller as one */
function placeOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined
  const place = code === undefined || code < HALVES_AT ? (code ?? -1) : code - HALVES
  if (place < 0 || characterAt(place) !== value) throw new Error('not one character')
  return place
}
