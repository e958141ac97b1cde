export type JsonSchema = { type: 'object'; [keyword: string]: unknown }

/** Keywords that hold data, not schemas. */
const VALUES = new Set(['default', 'enum', 'const', 'examples', 'required', 'type'])

/**
 * Returns a contract as plain JSON Schema: without `$id` and the `x-` keywords that only this service understands.
 */
export function plainSchema(schema: object): JsonSchema {
  return plain(schema) as JsonSchema
}

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (schema === null || typeof schema !== 'object') return schema
  const keywords = Object.entries(schema).filter(
    ([key, value]) => key !== '$id' && !key.startsWith('x-') && value !== undefined,
  )
  return Object.fromEntries(keywords.map(([key, value]) => [key, valueOf(key, value)]))
}

function valueOf(key: string, value: unknown): unknown {
  if (VALUES.has(key)) return value
  if (key !== 'properties') return plain(value)
  return Object.fromEntries(Object.entries(value as object).map(([name, field]) => [name, plain(field)]))
}
