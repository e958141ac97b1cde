/**
 * A contract as Ajv and the serialiser take it: names removed, because a contract used in two places is
 * written out in both, and what only the documentation needs left out.
 */
export function inlined(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inlined)
  if (schema === null || typeof schema !== 'object') return schema
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$id') continue
    plain[key] = VALUES.has(key) ? value : key === 'properties' ? inlinedFields(value as object) : inlined(value)
  }
  return plain
}

/** Keywords that hold data, not schemas. */
const VALUES = new Set(['default', 'enum', 'const', 'examples', 'required', 'type'])

function inlinedFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inlined(field)]))
}

/**
 * A contract as the serialiser takes it. An object without declared fields is written with JSON.stringify,
 * which is faster and keeps every key.
 */
export function serialisable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(serialisable)
  if (schema === null || typeof schema !== 'object') return schema
  const { type, properties, additionalProperties } = schema as Record<string, unknown>
  if (type === 'object' && properties === undefined && typeof additionalProperties !== 'object') return {}
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (DOCUMENTATION.has(key)) continue
    const fields = key === 'properties' ? (value as Record<string, unknown>) : null
    plain[key] =
      fields !== null
        ? Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, serialisable(field)]))
        : VALUES.has(key)
          ? value
          : serialisable(value)
  }
  return plain
}

/** Means nothing to a serialiser. Limits and formats are dropped too: what we send is ours and already checked. */
const DOCUMENTATION = new Set(['$id', 'description', 'examples', 'default', 'x-lowercase', 'format', 'pattern', 'enum'])
