import * as fc from 'fast-check'

const HALVES_AT = 0xd800
const HALVES = 0x800

/**
 * Any character except half of a surrogate pair, as a unit for texts. It is like fast-check's unit `binary`, which
 * takes more than a second in every process to list all characters.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - HALVES }).map(characterAt, placeOf)

function characterAt(place: number): string {
  return String.fromCodePoint(place < HALVES_AT ? place : place + HALVES)
}

/**
 * Returns the place of a character among the units.
 * @throws for values other than one character; fast-check then shrinks in another way
 */
function placeOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined
  const place = code === undefined || code < HALVES_AT ? (code ?? -1) : code - HALVES
  if (place < 0 || characterAt(place) !== value) throw new Error('not one character')
  return place
}
