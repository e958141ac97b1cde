import * as fc from 'fast-check'

const HALVES_AT = 0xd800
const HALVES = 0x800

/**
 * Any character except half of a surrogate pair, as a unit for texts. Like fast-check's unit `binary`, which lists all
 * characters in every process first and takes more than a second for it.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - HALVES }).map(characterAt, placeOf)

function characterAt(place: number): string {
  return String.fromCodePoint(place < HALVES_AT ? place : place + HALVES)
}

/** @throws for values other than one character, which fast-check then shrinks in another way */
function placeOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined
  const place = code === undefined || code < HALVES_AT ? (code ?? -1) : code - HALVES
  if (place < 0 || characterAt(place) !== value) throw new Error('not one character')
  return place
}
