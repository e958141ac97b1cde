import { isUtf8 } from 'node:buffer'
import { Fault, invalid } from '../faults.ts'
import { type FieldNames, rememberLiterals } from './decimal.ts'
import { diagnoseJson } from './json-diagnosis.ts'
import { textFaults } from './text-faults.ts'

/** Nested objects and lists; the outermost one counts as the first level. */
export const JSON_DEPTH_MAX = 32

/**
 * Most objects, lists, strings, numbers and literals in a body. Far more than any contract allows, and few enough not
 * to delay other callers.
 */
export const JSON_VALUES_MAX = 50_000

/** Results of `scan` that are not a count. */
const TOO_DEEP = -1
const TOO_MANY = -2

/**
 * Parses a body more strictly than JSON.parse. Refuses duplicate keys, more than `JSON_DEPTH_MAX` levels or
 * `JSON_VALUES_MAX` values, numbers beyond the range of a double, keys that reach a prototype, invalid UTF-8, a byte
 * order mark, and U+0000 or unpaired surrogates in any string. Good input costs one pass over the bytes, JSON.parse,
 * and one walk over the result; only bad input is searched for the place of its fault.
 * @param exactNumbers top-level fields whose numbers keep their source text, for `Decimal`
 * @throws Fault `json_invalid` at `prefix` with the problem and its character, or `string_unicode` at each place
 */
export function parseJson(bytes: Buffer, prefix: readonly string[] = ['body'], exactNumbers?: FieldNames): unknown {
  if (!isUtf8(bytes)) throw jsonInvalid(prefix, 'text is not UTF-8')
  const text = bytes.toString('utf8')
  const summary = scan(bytes)
  if (summary === TOO_MANY) throw jsonInvalid(prefix, `more than ${JSON_VALUES_MAX} values`)
  if (summary === TOO_DEEP) throw jsonInvalid(prefix, diagnoseJson(text, JSON_DEPTH_MAX))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw jsonInvalid(prefix, diagnoseJson(text, JSON_DEPTH_MAX))
  }
  if (countKeys(value) !== summary >> 1) throw jsonInvalid(prefix, diagnoseJson(text, JSON_DEPTH_MAX))
  const hasEscape = (summary & 1) === 1
  if (hasEscape) {
    const faults = textFaults(value, prefix)
    if (faults.length > 0) throw new Fault('invalid', faults)
  }
  if (exactNumbers !== undefined) rememberLiterals(value, text, exactNumbers, hasEscape)
  return value
}

function jsonInvalid(prefix: readonly string[], problem: string | null): Fault {
  return invalid(prefix, 'json_invalid', `Invalid JSON: ${problem ?? 'text is not JSON'}`)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const LETTER_U = 0x75

/**
 * Counts the keys of a text that may not be JSON. Each key is followed by a colon outside of strings, so the colons
 * count all keys, while the result of JSON.parse has a repeated key only once. In valid UTF-8 only `\u` escapes can
 * write U+0000 and unpaired surrogates. Every value but the outermost follows a comma or an opening bracket, so commas
 * and opening brackets count the values; an empty list or object counts as one too many.
 * @returns keys * 2 + (1 if there is a `\u` escape), or `TOO_DEEP`, or `TOO_MANY`
 */
function scan(bytes: Uint8Array): number {
  let keys = 0
  let depth = 0
  let values = 1
  let hasEscape = 0
  const end = bytes.length
  for (let i = 0; i < end; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) {
      for (i++; i < end && bytes[i] !== QUOTE; i++) {
        if (bytes[i] === BACKSLASH && bytes[++i] === LETTER_U) hasEscape = 1
      }
    } else if (byte === COLON) keys++
    else if (byte === COMMA) {
      if (++values > JSON_VALUES_MAX) return TOO_MANY
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (++depth > JSON_DEPTH_MAX) return TOO_DEEP
      if (++values > JSON_VALUES_MAX) return TOO_MANY
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--
  }
  return keys * 2 + hasEscape
}

/** Counts the keys in the value; NaN when a number is out of range or a key could reach a prototype. */
function countKeys(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : NaN
  if (value === null || typeof value !== 'object') return 0
  let count = 0
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const member: unknown = value[i]
      if (typeof member !== 'string') count += countKeys(member)
    }
    return count
  }
  for (const key of Object.keys(value)) {
    count++
    const member = (value as Record<string, unknown>)[key]
    if (typeof member !== 'string') count += countKeys(member)
    if (key === '__proto__' || (key === 'constructor' && hasPrototype(member))) return NaN
  }
  return count
}

function hasPrototype(member: unknown): boolean {
  return member !== null && typeof member === 'object' && Object.hasOwn(member, 'prototype')
}
