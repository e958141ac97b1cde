import type { Schema } from '../contract/check-faults.ts'

/** Keywords that only this service understands; the document leaves them out. */
const OWN_KEYWORDS = new Set(['x-lowercase', 'x-language', 'x-decimal', 'x-read-only'])

/** Returns the schema with named contracts replaced by references. Adds the named contracts to `schemas`. */
export function documented(schema: unknown, schemas: Record<string, Schema>): Schema {
  const plain = strip(schema, schemas) as Schema
  const name = (schema as { $id?: unknown }).$id
  if (typeof name !== 'string') return plain
  const previous = schemas[name]
  if (previous !== undefined && JSON.stringify(previous) !== JSON.stringify(plain)) {
    throw new Error(`Two contracts are named ${name}`)
  }
  schemas[name] = plain
  return { $ref: `#/components/schemas/${name}` }
}

/**
 * Returns a field of a body. Its default stands in the description, because generators of types take a field with the
 * keyword `default` for one that is always there, and would demand it of every request.
 */
function documentedField(field: unknown, schemas: Record<string, Schema>): Schema {
  const { default: preset, ...schema } = documented(field, schemas)
  if (preset === undefined) return schema
  const words = typeof schema.description === 'string' ? `${schema.description}. ` : ''
  return { ...schema, description: `${words}Default: ${JSON.stringify(preset)}` }
}

function strip(schema: unknown, schemas: Record<string, Schema>): unknown {
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema as object)) {
    if (key === '$id' || OWN_KEYWORDS.has(key)) continue
    if (key === 'x-variants') Object.assign(plain, oneOf(value as Schema[], schemas))
    else plain[key] = member(key, value, schemas)
  }
  return plain
}

/**
 * Returns the variants of an object. Where all variants are named, the result also says which field tells them apart.
 */
function oneOf(variants: readonly Schema[], schemas: Record<string, Schema>): Schema {
  const listed = variants.map((variant) => documented(variant, schemas))
  const mapping = variants.map((variant, i) => [typeOf(variant), listed[i].$ref])
  const isNamed = listed.every(({ $ref }) => $ref !== undefined)
  return {
    oneOf: listed,
    ...(isNamed ? { discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) } } : {}),
  }
}

function typeOf({ properties }: Schema): unknown {
  return (properties as Record<string, Schema>).type.const
}

function member(key: string, value: unknown, schemas: Record<string, Schema>): unknown {
  if (key === 'properties' || key === 'patternProperties') {
    const fields = Object.entries(value as Record<string, unknown>)
    return Object.fromEntries(fields.map(([name, field]) => [name, documentedField(field, schemas)]))
  }
  if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') {
    return (value as unknown[]).map((branch) => documented(branch, schemas))
  }
  const isSchema = (key === 'items' || key === 'additionalProperties') && typeof value === 'object' && value !== null
  return isSchema ? documented(value, schemas) : value
}
