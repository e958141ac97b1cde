/** Encodes values of key fields and properties as keys: texts in one list of a document, with which filters compare. */
import { createHash } from 'node:crypto'
import type { DocumentValues, IndexDefinition } from '../engine.ts'
import { numberOfValue } from '../indexing/property-values.ts'

/** Longest key as a text. Longer texts do not fit into an index of PostgreSQL, so their hash stands for them. */
const KEY_LENGTH_MAX = 400

/** Returns the key of a value of a field or property. */
export function keyOf(field: string, value: string): string {
  const key = JSON.stringify([field, value])
  return key.length <= KEY_LENGTH_MAX ? key : createHash('sha256').update(key).digest('hex')
}

/** Returns the key of documents that have any value of a field or property. */
export function presenceOf(field: string): string {
  return keyOf('', field)
}

/** Returns all keys of a document. */
export function keysOf(definition: IndexDefinition, { keys, properties = {} }: DocumentValues): string[] {
  const list = new Set<string>()
  for (const field of definition.keyFields) {
    for (const value of keys[field] ?? []) list.add(keyOf(field, value))
    if ((keys[field] ?? []).length > 0 && definition.facetFields?.includes(field)) list.add(presenceOf(field))
  }
  for (const [name, values] of Object.entries(properties)) {
    list.add(presenceOf(name))
    for (const value of values) list.add(keyOf(name, value))
  }
  return [...list]
}

/** Returns by property the first value that is a number. */
export function amountsOf({ properties = {} }: DocumentValues): Record<string, number> {
  const amounts: Record<string, number> = {}
  for (const [name, values] of Object.entries(properties)) {
    const amount = values.map(numberOfValue).find((each) => !Number.isNaN(each))
    // PostgreSQL refuses a half of a surrogate pair.
    if (amount !== undefined && name.isWellFormed()) amounts[name] = amount
  }
  return amounts
}
