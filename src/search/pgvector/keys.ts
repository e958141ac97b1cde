/** Values of key fields and properties as one list of texts, which a document's filters look into. */
import { createHash } from 'node:crypto'
import type { IndexDefinition, IndexDocument } from '../engine.ts'
import { numberOfValue } from '../indexing/property-values.ts'

/** Longer texts do not fit into an index of PostgreSQL, so their hash stands for them. */
const KEY_LENGTH_MAX = 400

export function keyOf(field: string, value: string): string {
  const key = JSON.stringify([field, value])
  return key.length <= KEY_LENGTH_MAX ? key : createHash('sha256').update(key).digest('hex')
}

/** Says that a document has a value of a field. */
export function presenceOf(field: string): string {
  return keyOf('', field)
}

export function keysOf(definition: IndexDefinition, { keys, properties = {} }: IndexDocument): string[] {
  const found = new Set<string>()
  for (const field of definition.keyFields) {
    for (const value of keys[field] ?? []) found.add(keyOf(field, value))
    if ((keys[field] ?? []).length > 0 && definition.facetFields?.includes(field)) found.add(presenceOf(field))
  }
  for (const [name, values] of Object.entries(properties)) {
    found.add(presenceOf(name))
    for (const value of values) found.add(keyOf(name, value))
  }
  return [...found]
}

/** By property, its first value that is a number. */
export function amountsOf({ properties = {} }: IndexDocument): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [name, values] of Object.entries(properties)) {
    const amount = values.map(numberOfValue).find((each) => !Number.isNaN(each))
    // PostgreSQL takes no half of a surrogate pair.
    if (amount !== undefined && name.isWellFormed()) found[name] = amount
  }
  return found
}
