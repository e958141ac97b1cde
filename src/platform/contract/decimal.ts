import type { SchemaValidateFunction } from 'ajv'
import type { FaultMessage } from './check-messages.ts'

/** Most digits of a decimal, before and after the point together, without leading zeros. decimal128 has 34. */
const DECIMAL_DIGITS_MAX = 38
/** Pattern of a decimal as text. It has no exponents and no infinity, so that no digit can be lost. */
export const DECIMAL_PATTERN = String.raw`^[+-]?(\d+(\.\d*)?|\.\d+)$`

const TEXT = new RegExp(DECIMAL_PATTERN)
const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Largest exponent that is written out. A larger one only adds zeros that no price has. */
const EXPONENT_MAX = 100

const message = (type: string, msg: string): FaultMessage => ({ type, msg })
const NOT_DECIMAL = message('decimal_type', 'Decimal input should be an integer, float, string or Decimal object')
const UNREADABLE = message('decimal_parsing', 'Input should be a valid decimal')
const NEGATIVE = message('greater_than_equal', 'Input should be greater than or equal to 0')
const TOO_MANY_DIGITS = message(
  'decimal_max_digits',
  `Decimal input should have no more than ${DECIMAL_DIGITS_MAX} digits in total`,
)

/** Field names: a set, or any object that says of a name whether it has it. */
export type FieldNames = Pick<ReadonlySet<string>, 'has'>

/** Source text of the numbers of each parsed document, by field name. JSON.parse rounds numbers to doubles. */
const literals = new WeakMap<object, ReadonlyMap<string, string>>()

/**
 * Remembers the source text of some top-level numbers of a document, for `Decimal` fields.
 * @param value result of JSON.parse for the text
 * @param names fields of the numbers
 * @param hasEscapes whether a key may be written with `\u` escapes
 */
export function rememberLiterals(value: unknown, text: string, names: FieldNames, hasEscapes: boolean): void {
  if (value === null || typeof value !== 'object') return
  const fields = Object.keys(value).filter((name) => {
    return names.has(name) && typeof (value as Record<string, unknown>)[name] === 'number'
  })
  if (fields.length > 0)
    literals.set(value, (hasEscapes ? null : plainLiterals(text, fields)) ?? allLiterals(text, names))
}

const NUMBER_AFTER_KEY = /\s*:\s*(-?[\d.eE+-]+)/y

/**
 * Finds the literals of a text without escaped keys: a quoted name that occurs only once must be the key, because
 * quotes inside a string have backslashes. Takes a tenth of the time of `allLiterals`, which parses the text a second
 * time.
 * @returns null when a quoted name occurs twice, for example in a nested object
 */
function plainLiterals(text: string, names: readonly string[]): Map<string, string> | null {
  const texts = new Map<string, string>()
  for (const name of names) {
    const at = text.indexOf(`"${name}"`)
    NUMBER_AFTER_KEY.lastIndex = at + name.length + 2
    const match = text.includes(`"${name}"`, at + 1) ? null : NUMBER_AFTER_KEY.exec(text)
    if (match === null) return null
    texts.set(name, match[1])
  }
  return texts
}

/** Finds the literals of any text by parsing it a second time. */
function allLiterals(text: string, names: FieldNames): ReadonlyMap<string, string> {
  const byHolder = new Map<object, Map<string, string>>()
  const note = function (this: object, name: string, member: unknown, { source }: { source: string }): unknown {
    if (typeof member !== 'number' || !names.has(name)) return member
    const texts = byHolder.get(this)
    if (texts === undefined) byHolder.set(this, new Map([[name, source]]))
    else texts.set(name, source)
    return member
  }
  // TypeScript's library lacks the third argument, the value's source text (ECMA-262, JSON.parse source text).
  const root: unknown = JSON.parse(text, note as Parameters<typeof JSON.parse>[1])
  return byHolder.get(root as object) ?? new Map()
}

/** Returns the source text of the number `name`, if `rememberLiterals` has stored it. */
export function literalOf(holder: object, name: string): string | undefined {
  return literals.get(holder)?.get(name)
}

/**
 * Reads a non-negative decimal as text. Keeps every digit sent, without redundant signs and zeros.
 * @param literal the number's source text; without it the shortest text for the same double is used
 * @param maximum decimal text; null for no maximum
 */
export function readDecimal(
  value: unknown,
  literal: string | undefined,
  maximum: string | null,
): { readonly text: string } | { readonly fault: FaultMessage } {
  const source = typeof value === 'number' ? plainText(literal ?? String(value)) : value
  if (typeof source !== 'string') return { fault: typeof value === 'number' ? TOO_MANY_DIGITS : NOT_DECIMAL }
  if (!TEXT.test(source)) return { fault: UNREADABLE }
  const [whole, fraction] = source.replace(/^[+-]/, '').split('.') as [string, string?]
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  const text = fraction === undefined || fraction === '' ? digits : `${digits}.${fraction}`
  if (digits.length + (fraction?.length ?? 0) > DECIMAL_DIGITS_MAX) return { fault: TOO_MANY_DIGITS }
  if (source.startsWith('-') && /[1-9]/.test(text)) return { fault: NEGATIVE }
  if (maximum !== null && compareDecimals(text, maximum) > 0)
    return { fault: message('less_than_equal', `Input should be less than or equal to ${maximum}`) }
  return { text }
}

/** Returns a JSON number without an exponent; null when it would have too many digits. */
function plainText(literal: string): string | null {
  const [, sign, whole, fraction = '', power = '0'] = LITERAL.exec(literal)!
  const exponent = Number(power)
  if (exponent === 0) return literal.replace(/[eE].*/, '')
  if (Math.abs(exponent) > EXPONENT_MAX) return null
  const digits = exponent > 0 ? whole + fraction.padEnd(exponent, '0') : whole.padStart(1 - exponent, '0') + fraction
  const point = exponent > 0 ? whole.length + exponent : digits.length - fraction.length + exponent
  return `${sign}${digits.slice(0, point)}${point < digits.length ? `.${digits.slice(point)}` : ''}`
}

/**
 * Compares two results of `readDecimal` exactly.
 * @returns a negative number, 0 or a positive one, as sorting needs it
 */
export function compareDecimals(one: string, other: string): number {
  const [wholeA, fractionA = ''] = one.split('.')
  const [wholeB, fractionB = ''] = other.split('.')
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1
  const length = Math.max(fractionA.length, fractionB.length)
  const [a, b] = [fractionA.padEnd(length, '0'), fractionB.padEnd(length, '0')]
  return a === b ? 0 : a < b ? -1 : 1
}

/** Value of the keyword: the largest decimal as text, and whether null is allowed too. */
interface DecimalLimits {
  readonly maximum?: string
  readonly isNullable?: boolean
}

/** Ajv keyword behind `Decimal` and `NullableDecimal`: checks the value and replaces it by its text. */
export const decimalKeyword: SchemaValidateFunction = (limits: DecimalLimits, value, _schema, place) => {
  const { maximum, isNullable } = limits
  if (value === null && isNullable === true) return true
  const holder = place!.parentData as Record<string, unknown>
  const name = String(place!.parentDataProperty)
  const read = readDecimal(value, literalOf(holder, name), maximum ?? null)
  if ('fault' in read) {
    decimalKeyword.errors = [{ keyword: 'x-decimal', params: { ...read.fault } }]
    return false
  }
  holder[name] = read.text
  return true
}
