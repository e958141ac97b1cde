import type { FaultDetail } from '../faults.ts'
import { type Schema, shorten } from './check-faults.ts'

/** A field that its contract does not declare. */
export interface Undeclared {
  readonly path: readonly string[]
  /** Fields that the contract declares at this place. */
  readonly known: readonly string[]
  /** Whether it is a field of the answer that callers cannot set, and may send back. */
  readonly isReadOnly: boolean
}

/** Most undeclared fields of a value that are noted. */
const NAMED_MAX = 20

/**
 * Undeclared fields of each value that a check has searched. A check returns faults alone, and a request has no place
 * for them.
 */
const undeclared = new WeakMap<object, readonly Undeclared[]>()

/** Returns the undeclared fields that the check of a value has noted, at most 20. */
export function undeclaredIn(value: unknown): readonly Undeclared[] {
  return value !== null && typeof value === 'object' ? (undeclared.get(value) ?? []) : []
}

/**
 * Returns the faults of undeclared fields, for a request that asks for their refusal. Read-only fields are none, so that
 * a caller may send back what an answer has.
 * @param prefix place of the value
 */
export function undeclaredFaults(fields: readonly Undeclared[], prefix: readonly string[]): FaultDetail[] {
  const refused = fields.filter(({ isReadOnly }) => !isReadOnly)
  return refused.map(({ path, known }) => ({
    loc: [...prefix, ...path.map(shorten)],
    msg: `Extra inputs are not permitted; there ${known.length === 0 ? 'are none' : `is ${known.join(', ')}`}`,
    type: 'extra_forbidden',
  }))
}

/** Searches a value of a schema for undeclared fields, and adds them to a list. */
type Search = (value: unknown, path: readonly string[], into: Undeclared[]) => void

/**
 * Compiles the search for undeclared fields of a value, and of the values within its fields. `undeclaredIn` returns the
 * fields that the search has noted.
 * @param drops whether to remove undeclared fields of the value itself: no check has seen them, so no handler may
 * @returns null for a schema that takes any field, or refuses undeclared ones
 */
export function compileUndeclaredSearch(
  schema: Schema,
  drops: boolean,
): ((value: Readonly<Record<string, unknown>>) => void) | null {
  const declared = declaredIn(schema)
  if (declared === null) return null
  const names = new Set(declared)
  const readOnly = new Set(schema['x-read-only'] as readonly string[] | undefined)
  const searchInside = insideSearch(schema)
  return (value) => {
    let fields: Undeclared[] | null = null
    for (const key of Object.keys(value)) {
      if (names.has(key)) continue
      fields ??= []
      if (fields.length < NAMED_MAX) fields.push({ path: [key], known: declared, isReadOnly: readOnly.has(key) })
      if (drops) delete (value as Record<string, unknown>)[key]
    }
    if (searchInside !== null) searchInside(value, [], (fields ??= []))
    if (fields !== null && fields.length > 0) undeclared.set(value, fields)
  }
}

/**
 * Returns the names of the fields of a contract that ignores others; null for other schemas, such as free-form objects.
 */
function declaredIn({ type, properties, additionalProperties }: Schema): readonly string[] | null {
  const isObject = [type].flat().includes('object')
  return isObject && properties && additionalProperties === undefined ? Object.keys(properties) : null
}

/** Compiles the search of a value of a field; null when the value has no declared fields within it. */
function valueSearch(schema: Schema): Search | null {
  if (schema.items !== undefined) return itemSearch(schema.items as Schema)
  const branches = ((schema.anyOf ?? schema.oneOf) as Schema[] | undefined)?.filter(({ type }) => type !== 'null')
  // A value does not say which of several branches it is meant for.
  if (branches !== undefined) return branches.length === 1 ? valueSearch(branches[0]) : null
  const declared = declaredIn(schema)
  const searchInside = insideSearch(schema)
  if (declared === null) return searchInside
  return (value, path, into) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return
    for (const key of Object.keys(value)) {
      if (into.length < NAMED_MAX && !declared.includes(key))
        into.push({ path: [...path, key], known: declared, isReadOnly: false })
    }
    searchInside?.(value, path, into)
  }
}

/** Compiles the search of the items of a list. */
function itemSearch(schema: Schema): Search | null {
  const each = valueSearch(schema)
  if (each === null) return null
  return (list, path, into) => {
    if (!Array.isArray(list)) return
    for (let i = 0; i < list.length && into.length < NAMED_MAX; i++) each(list[i], [...path, String(i)], into)
  }
}

/** Compiles the search of the fields of an object; null when none of them holds objects with declared fields. */
function insideSearch({ properties }: Schema): Search | null {
  const searches = Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const search = valueSearch(field)
    return search === null ? [] : [{ name, search }]
  })
  if (searches.length === 0) return null
  return (value, path, into) => {
    if (value === null || typeof value !== 'object') return
    for (const { name, search } of searches) {
      if (Object.hasOwn(value, name)) search((value as Record<string, unknown>)[name], [...path, name], into)
    }
  }
}
