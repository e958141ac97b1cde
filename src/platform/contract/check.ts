import { Ajv, type ErrorObject, type Options, type SchemaValidateFunction } from 'ajv'
import { Fault, type FaultDetail } from '../faults.ts'
import { faultsFrom, type Schema } from './check-faults.ts'
import { coercionFor } from './coerce.ts'
import { decimalKeyword } from './decimal.ts'
import { isDateTime, isUuid, isWebAddress } from './formats.ts'
import { inlined } from './inlined.ts'
import { languageKeyword } from './language.ts'
import { textFaults } from './text-faults.ts'
import { isUnchecked } from './unchecked.ts'
import { compileUndeclaredSearch } from './undeclared.ts'

type Part = 'path' | 'query' | 'header' | 'body'

/** Values of a body above which only its first fault is reported, so that a refusal stays cheap. */
const COLLECTED_VALUES_MAX = 10_000

const OPTIONS: Options = {
  strict: true,
  // Compiling the schema of schemas took half of a process's first check. Tests check ours with the API's description.
  validateSchema: false,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  useDefaults: true,
  removeAdditional: false,
  coerceTypes: false,
  validateFormats: true,
}

const lowercase: SchemaValidateFunction = (_flag, value: unknown, _schema, place) => {
  if (typeof value === 'string' && place !== undefined) {
    const holder = place.parentData as Record<string, unknown>
    holder[String(place.parentDataProperty)] = value.toLowerCase()
  }
  return true
}

function createAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({ ...OPTIONS, allErrors })
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat('uri', isWebAddress)
  ajv.addKeyword('x-read-only')
  ajv.addKeyword({ keyword: 'x-lowercase', modifying: true, schema: true, validate: lowercase })
  ajv.addKeyword({ keyword: 'x-language', modifying: true, schema: true, errors: true, validate: languageKeyword })
  ajv.addKeyword({ keyword: 'x-decimal', modifying: true, errors: true, validate: decimalKeyword })
  return ajv
}

/** Stops at the first error. */
const quick = createAjv(false)
/** Collects all errors. */
const thorough = createAjv(true)

/** Checks a value, fills in its defaults and normalises it in place. @returns its faults; null when it has none */
export type Check = (value: unknown) => FaultDetail[] | null

/**
 * Compiles a schema for one part of a request, or with a longer `prefix` for a place within a body (`['body',
 * 'metadata']`). Good values pass one Ajv function that stops at the first error; only a bad value runs another one,
 * which collects all errors.
 */
export function compileCheck(schema: object, prefix: readonly string[]): Check {
  let check: Check | null = null
  // Compiled for the first value, so that start-up does not pay for routes that are never called.
  return (value) => (check ??= compileNow(schema, prefix))(value)
}

function compileNow(schema: object, prefix: readonly string[]): Check {
  const plain = inlined(schema) as Schema
  const isGood = quick.compile(plain)
  let collect: ReturnType<Ajv['compile']> | null = null
  const fromText = prefix[0] !== 'body'
  const coerce = fromText ? coercionFor(plain) : null
  const isDecoded = prefix[0] === 'path' || prefix[0] === 'query'
  // A path has no other fields, and any client or proxy may add headers.
  const noteUndeclared =
    prefix[0] === 'body' || prefix[0] === 'query' ? compileUndeclaredSearch(plain, prefix[0] === 'body') : null
  return (value) => {
    if (isDecoded) {
      const faults = textFaults(value, prefix)
      if (faults.length > 0) return faults
    }
    coerce?.(value as Record<string, unknown>)
    if (isGood(value)) {
      noteUndeclared?.(value as Record<string, unknown>)
      return null
    }
    if (isUnchecked(value)) noteUndeclared?.(value)
    let errors = isGood.errors as ErrorObject[]
    if (countValues(value, COLLECTED_VALUES_MAX) < COLLECTED_VALUES_MAX) {
      collect ??= thorough.compile(plain)
      if (!collect(value)) errors = collect.errors as ErrorObject[]
    }
    return faultsFrom(errors, plain, value, prefix, fromText)
  }
}

const MISSING_BODY: readonly FaultDetail[] = [{ loc: ['body'], msg: 'Field required', type: 'missing' }]
const PARTS: Readonly<Record<string, Part>> = { params: 'path', querystring: 'query', headers: 'header', body: 'body' }

/** Fastify's validator compiler. Its validators return true or `{ error: Fault }`. */
export function validatorCompiler({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  const part = PARTS[httpPart ?? 'body']
  if (part === 'header') demandLowercase(schema as Schema)
  const check = compileCheck(schema as object, [part])
  return (value: unknown): true | { error: Fault } => {
    // Fastify passes null when there is no body. JSON null never gets here: the parser refuses it.
    if (value === null && part === 'body') return { error: new Fault('invalid', MISSING_BODY) }
    const faults = check(value)
    return faults === null ? true : { error: new Fault('invalid', faults) }
  }
}

/** Node gives header names in lower case, so a declared name in another case would never match. */
function demandLowercase({ properties }: Schema): void {
  const name = Object.keys(properties ?? {}).find((each) => each !== each.toLowerCase())
  if (name !== undefined) throw new Error(`Header ${name} must be declared in lower case`)
}

/** Counts a value and all values within it, up to `max`. */
export function countValues(value: unknown, max: number): number {
  let count = 0
  const stack: unknown[] = [value]
  while (stack.length > 0 && count < max) {
    const next = stack.pop()
    count++
    if (next === null || typeof next !== 'object') continue
    const members = Array.isArray(next) ? next : Object.values(next)
    if (members.length >= max) return max
    for (const member of members) stack.push(member)
  }
  return count
}
