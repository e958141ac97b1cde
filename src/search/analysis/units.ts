/**
 * Knows units of measure and their words in German and English. "18 V", "18V", "18 Volt" and "18-Volt" become one term,
 * "18v", so that a measure is found however it is written.
 */

/** Folded words and signs for each unit, by the term that stands for the unit. */
const UNIT_WORDS: Readonly<Record<string, string>> = {
  mm: 'mm millimeter millimeters millimetre millimetres',
  cm: 'cm zentimeter zentimetern centimeter centimeters centimetre centimetres',
  m: 'm meter metern meters metre metres',
  km: 'km kilometer kilometern kilometers kilometre kilometres',
  inch: 'inch inches zoll',
  ml: 'ml milliliter millilitern milliliters millilitre millilitres',
  cl: 'cl zentiliter centiliter centilitre centilitres',
  l: 'l ltr liter litern liters litre litres',
  mg: 'mg milligramm milligram milligrams',
  g: 'g gr gramm gram grams',
  kg: 'kg kilogramm kilogram kilograms kilo kilos',
  v: 'v volt volts',
  w: 'w watt watts',
  kw: 'kw kilowatt kilowatts',
  a: 'a ampere amperes amp amps',
  ah: 'ah amperestunden',
  mah: 'mah milliamperestunden',
  hz: 'hz hertz',
  khz: 'khz kilohertz',
  mhz: 'mhz megahertz',
  ghz: 'ghz gigahertz',
  kb: 'kb kilobyte kilobytes',
  mb: 'mb megabyte megabytes',
  gb: 'gb gigabyte gigabytes',
  tb: 'tb terabyte terabytes',
  mp: 'mp megapixel megapixels',
}

const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries(UNIT_WORDS).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit] as const)),
)
/** Characters of the longest word for a unit. */
export const UNIT_LENGTH_MAX = Math.max(...Array.from(UNITS.keys(), (word) => word.length))

const NUMBER_AND_UNIT = /^([0-9]+(?:\.[0-9]+)?)([a-z]+)$/

/**
 * Returns the term of a number and the folded word behind it ("18v" for 18 and "volt"); null when the word is no unit.
 */
export function measureOf(number: string, word: string): string | null {
  const unit = UNITS.get(word)
  return unit === undefined ? null : number + unit
}

/** Returns the term of a number and its unit that are written as one folded word ("18volt"); null for other words. */
export function measureIn(word: string): string | null {
  const match = NUMBER_AND_UNIT.exec(word)
  return match === null ? null : measureOf(match[1], match[2])
}
