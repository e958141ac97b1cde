/**
 * Returns a contract as Ajv takes it. Names are removed, so a contract that is used twice is written out twice. A
 * decimal keeps only its own keyword; its other keywords, and the variants of an object, are documentation.
 */
export function inlined(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inlined)
  if (schema === null || typeof schema !== 'object') return schema
  if ('x-decimal' in schema) return { 'x-decimal': schema['x-decimal'] }
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$id' || key === 'x-variants') continue
    plain[key] = VALUES.has(key) ? value : key === 'properties' ? inlinedFields(value as object) : inlined(value)
  }
  return plain
}

/** Keywords that hold data, not schemas. */
const VALUES = new Set(['default', 'enum', 'const', 'examples', 'required', 'type', 'x-read-only'])

function inlinedFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inlined(field)]))
}
