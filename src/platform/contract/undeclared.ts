import type { FaultDetail } from '../faults.ts'
import { type Schema, shorten } from './check-faults.ts'

/** A field that its contract does not declare, and the fields that are declared at its place. */
export interface Undeclared {
  readonly path: readonly string[]
  readonly known: readonly string[]
}

/** Most undeclared fields of a value that anybody is told of. */
const NAMED_MAX = 20

/** Found by checks, which say only what is wrong. A request that is checked has no other place for it. */
const found = new WeakMap<object, readonly Undeclared[]>()

/** The undeclared fields that the check of a value found, at most 20. */
export function undeclaredIn(value: unknown): readonly Undeclared[] {
  return value !== null && typeof value === 'object' ? (found.get(value) ?? []) : []
}

/** The faults of undeclared fields, for who asked to have them refused. @param prefix place of the value */
export function undeclaredFaults(fields: readonly Undeclared[], prefix: readonly string[]): FaultDetail[] {
  return fields.map(({ path, known }) => ({
    loc: [...prefix, ...path.map(shorten)],
    msg: `Extra inputs are not permitted; there ${known.length === 0 ? 'are none' : `is ${known.join(', ')}`}`,
    type: 'extra_forbidden',
  }))
}

/** Looks for undeclared fields in a value of the schema. */
type Look = (value: unknown, path: readonly string[], into: Undeclared[]) => void

/**
 * Compiles the search for undeclared fields of a contract, and within its fields. What it finds, `undeclaredIn` tells.
 * @param drops whether to remove undeclared fields of the value itself: no check has seen them, so no handler may
 * @returns null for a schema that takes any field, or refuses undeclared ones
 */
export function noteUndeclared(
  schema: Schema,
  drops: boolean,
): ((value: Readonly<Record<string, unknown>>) => void) | null {
  const declared = declaredIn(schema)
  if (declared === null) return null
  const known = new Set(declared)
  const inside = lookInside(schema)
  return (value) => {
    let fields: Undeclared[] | null = null
    for (const key of Object.keys(value)) {
      if (known.has(key)) continue
      fields ??= []
      if (fields.length < NAMED_MAX) fields.push({ path: [key], known: declared })
      if (drops) delete (value as Record<string, unknown>)[key]
    }
    if (inside !== null) inside(value, [], (fields ??= []))
    if (fields !== null && fields.length > 0) found.set(value, fields)
  }
}

/** Names of the fields of a contract that ignores others; null for other schemas, such as free-form objects. */
function declaredIn({ type, properties, additionalProperties }: Schema): readonly string[] | null {
  const isObject = [type].flat().includes('object')
  return isObject && properties && additionalProperties === undefined ? Object.keys(properties) : null
}

function lookAt(schema: Schema): Look | null {
  if (schema.items !== undefined) return lookAtItems(schema.items as Schema)
  const branches = ((schema.anyOf ?? schema.oneOf) as Schema[] | undefined)?.filter(({ type }) => type !== 'null')
  // Which of several branches was meant, is not known.
  if (branches !== undefined) return branches.length === 1 ? lookAt(branches[0]) : null
  const known = declaredIn(schema)
  const inside = lookInside(schema)
  if (known === null) return inside
  return (value, path, into) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return
    for (const key of Object.keys(value)) {
      if (into.length < NAMED_MAX && !known.includes(key)) into.push({ path: [...path, key], known })
    }
    inside?.(value, path, into)
  }
}

function lookAtItems(schema: Schema): Look | null {
  const each = lookAt(schema)
  if (each === null) return null
  return (list, path, into) => {
    if (!Array.isArray(list)) return
    for (let i = 0; i < list.length && into.length < NAMED_MAX; i++) each(list[i], [...path, String(i)], into)
  }
}

/** Looks within the fields of an object; null when none of them holds objects with declared fields. */
function lookInside({ properties }: Schema): Look | null {
  const looks = Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const look = lookAt(field)
    return look === null ? [] : [{ name, look }]
  })
  if (looks.length === 0) return null
  return (value, path, into) => {
    if (value === null || typeof value !== 'object') return
    for (const { name, look } of looks) {
      if (Object.hasOwn(value, name)) look((value as Record<string, unknown>)[name], [...path, name], into)
    }
  }
}
