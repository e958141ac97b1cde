import type { ErrorObject } from 'ajv'
import type { FaultDetail } from '../faults.ts'
import { messageOf } from './check-messages.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Most faults that one answer lists. */
export const FAULTS_MAX = 100
const KEY_CHARACTERS_MAX = 64

/**
 * Turns Ajv's errors into faults: one per place, in the order of the schema's fields, at most `FAULTS_MAX`. Each
 * location begins with `prefix`.
 * @param fromText whether the value arrived as text: in a query, a path or a header
 */
export function faultsFrom(
  errors: readonly ErrorObject[],
  schema: Schema,
  value: unknown,
  prefix: readonly string[],
  fromText: boolean,
): FaultDetail[] {
  const places = new Map<string, { path: string[]; error: ErrorObject }>()
  for (const error of foldUnions(errors)) {
    const path = pathOf(error)
    const key = path.join('/')
    const earlier = places.get(key)
    if (earlier === undefined || rankAtPlace(error) < rankAtPlace(earlier.error)) places.set(key, { path, error })
  }
  // The items of a list that is too long are not worth a fault of their own.
  const longLists = [...places].filter(([, place]) => place.error.keyword === 'maxItems').map(([key]) => `${key}/`)
  return [...places]
    .filter(([key]) => !longLists.some((list) => key.startsWith(list)))
    .map(([, place]) => ({ ...place, rank: rankOf(schema, place.path) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .slice(0, FAULTS_MAX)
    .map(({ path, error }) => ({
      loc: [...prefix, ...path.map(shorten)],
      ...messageOf(error, valueAt(value, path), fromText),
    }))
}

/**
 * Keeps of a failed union only the errors of the closest branch: the first whose type matches, else the first that is
 * not null.
 */
function foldUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  const folded: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      folded.push(error)
      continue
    }
    const inside = `${error.schemaPath}/`
    const first = folded.findIndex((each) => each.schemaPath.startsWith(inside) && isWithin(each, error))
    if (first < 0) continue
    const branches = Map.groupBy(folded.splice(first), (each) => each.schemaPath.slice(inside.length).split('/')[0])
    const candidates = [...branches.values()].filter((branch) => !branch.every(saysNotNull))
    const closest = candidates.find((branch) => !branch.some((each) => isTypeAt(each, error))) ?? candidates[0]
    folded.push(...(closest ?? [...branches.values()][0]))
  }
  return folded
}

const isWithin = (inner: ErrorObject, outer: ErrorObject) => inner.instancePath.startsWith(outer.instancePath)
const saysNotNull = (error: ErrorObject) => error.keyword === 'type' && error.params.type === 'null'
const isTypeAt = (inner: ErrorObject, outer: ErrorObject) =>
  inner.keyword === 'type' && inner.instancePath === outer.instancePath

/**
 * Ranks the errors of one place, of which the lowest is reported: a wrong choice tells more than a wrong type, a wrong
 * type more than its consequences, and a wrong length more than that the text is no language.
 */
function rankAtPlace(error: ErrorObject): number {
  if (error.keyword === 'x-language') return 3
  return error.keyword === 'enum' || error.keyword === 'const' ? 0 : error.keyword === 'type' ? 1 : 2
}

function pathOf(error: ErrorObject): string[] {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/').map(unescape)
  const params = error.params as Record<string, unknown>
  if (error.keyword === 'required') path.push(String(params.missingProperty))
  if (error.keyword === 'additionalProperties') path.push(String(params.additionalProperty))
  return path
}

function unescape(part: string): string {
  return part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part
}

/** Cuts a long part of a location. Locations contain keys that the caller chose. */
export function shorten(part: string): string {
  return part.length <= KEY_CHARACTERS_MAX ? part : `${part.slice(0, KEY_CHARACTERS_MAX).toWellFormed()}…`
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const part of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<string, unknown>)[part]
  }
  return at
}

/** Returns the position of a place in the contract: of each field in its schema, of each item in its list. */
function rankOf(schema: Schema, path: readonly string[]): number[] {
  let at: Schema | undefined = schema
  return path.map((part) => {
    at = at === undefined ? undefined : unwrap(at, part)
    const fields = at?.properties as Record<string, Schema> | undefined
    if (fields !== undefined && Object.hasOwn(fields, part)) {
      at = fields[part]
      return Object.keys(fields).indexOf(part)
    }
    const next: unknown = at?.items ?? at?.additionalProperties
    at = typeof next === 'object' && next !== null ? (next as Schema) : undefined
    return /^\d+$/.test(part) ? Number(part) : Number.MAX_SAFE_INTEGER
  })
}

/** Returns the branch of a union that has the field. */
function unwrap(schema: Schema, part: string): Schema {
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (branches === undefined) return schema
  const hasField = (branch: Schema) => Object.hasOwn((branch.properties as object | undefined) ?? {}, part)
  return branches.find(hasField) ?? branches.find((branch) => branch.items !== undefined) ?? branches[0]
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i]
  return a.length - b.length
}
