import type { Schema } from '../contract/check-faults.ts'

/** Keywords that only this service understands. */
const OURS = new Set(['x-lowercase', 'x-language', 'x-decimal'])

/** The schema with named contracts replaced by references. Adds the named contracts to `schemas`. */
export function documented(schema: unknown, schemas: Record<string, Schema>): Schema {
  const plain = strip(schema, schemas) as Schema
  const name = (schema as { $id?: unknown }).$id
  if (typeof name !== 'string') return plain
  const known = schemas[name]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(plain)) {
    throw new Error(`Two contracts are named ${name}`)
  }
  schemas[name] = plain
  return { $ref: `#/components/schemas/${name}` }
}

function strip(schema: unknown, schemas: Record<string, Schema>): unknown {
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema as object)) {
    if (key === '$id' || OURS.has(key)) continue
    plain[key] = member(key, value, schemas)
  }
  return plain
}

function member(key: string, value: unknown, schemas: Record<string, Schema>): unknown {
  if (key === 'properties' || key === 'patternProperties') {
    const fields = Object.entries(value as Record<string, unknown>)
    return Object.fromEntries(fields.map(([name, field]) => [name, documented(field, schemas)]))
  }
  if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') {
    return (value as unknown[]).map((branch) => documented(branch, schemas))
  }
  const isSchema = (key === 'items' || key === 'additionalProperties') && typeof value === 'object' && value !== null
  return isSchema ? documented(value, schemas) : value
}
