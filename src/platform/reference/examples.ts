import type { Schema } from '../contract/check-faults.ts'
import { isDateTime, isUuid, isWebAddress } from '../contract/formats.ts'
import { FAMILIES, OF_FORMAT, USUAL_FIELDS, VALUES } from './example-values.ts'

/** Side of an example. A request has the fields that clients usually send, an answer has all. */
type Side = 'request' | 'answer'

/**
 * Returns an example that a contract allows. An example in the contract itself comes first.
 * @param name name of the field that the example is for
 * @param owner name of the contract that has the field
 */
export function exampleOf(contract: unknown, side: Side, name = '', owner = ''): unknown {
  const schema = contract as Schema
  const [own] = (schema.examples ?? []) as unknown[]
  if (own !== undefined) return own
  if (schema.const !== undefined) return schema.const
  const value = valuesFor(name, owner).find((each) => isAllowed(each, schema))
  if (value !== undefined) return value
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (branches !== undefined)
    return exampleOf(
      branches.find(({ type }) => type !== 'null'),
      side,
      name,
      owner,
    )
  const choice = ((schema.enum ?? []) as unknown[]).find((each) => each !== null)
  return choice ?? ofType(schema, side, name)
}

function ofType(schema: Schema, side: Side, name: string): unknown {
  const type = [schema.type].flat().find((each) => each !== 'null')
  switch (type) {
    case 'object':
      return objectOf(schema, side)
    case 'array':
      return [exampleOf(schema.items, side, name.replace(/s$/, ''))]
    case 'string':
      return OF_FORMAT[String(schema.format)] ?? 'text'.padEnd(Number(schema.minLength ?? 0), '.')
    case 'boolean':
      return schema.default ?? false
    case undefined:
      return null
    default:
      return schema.default ?? Math.max(Number(schema.minimum ?? 1), 1)
  }
}

function objectOf({ $id = '', properties = {}, required = [] }: Schema, side: Side): Record<string, unknown> {
  const fields = Object.entries(properties as Record<string, Schema>).filter(([, field]) => hasType(field))
  const needed = required as string[]
  const chosen =
    side === 'answer'
      ? fields
      : needed.length === 0
        ? // A change requires no field, but an example without any would show nothing.
          fields.slice(0, 1)
        : fields.filter(([name]) => needed.includes(name) || USUAL_FIELDS.has(name))
  return Object.fromEntries(chosen.map(([name, field]) => [name, exampleOf(field, side, name, String($id))]))
}

/** @param owner name of the contract that the field is in */
function valuesFor(name: string, owner: string): readonly unknown[] {
  const family = FAMILIES.find((each) => owner.startsWith(each))
  return [...(VALUES[`${family}.${name}`] ?? []), ...(VALUES[name] ?? [])]
}

/** Tells whether a field has a type. A field without one is declared only to be refused. */
function hasType(field: Schema): boolean {
  return ['type', 'anyOf', 'oneOf', 'const', 'enum'].some((keyword) => keyword in field)
}

/** Tells whether a contract allows a value of `VALUES`. Compiling a check for each field would take a second. */
function isAllowed(value: unknown, schema: Schema): boolean {
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (branches !== undefined) return branches.some((branch) => isAllowed(value, branch))
  if (schema.enum !== undefined) return (schema.enum as unknown[]).includes(value)
  const types = [schema.type].flat()
  if (typeof value === 'string') return types.includes('string') && isAllowedText(value, schema)
  if (typeof value === 'number') return types.some((type) => isNumberOf(value, type)) && isWithin(value, schema, 'imum')
  if (!Array.isArray(value)) return types.includes(typeof value)
  return types.includes('array') && value.every((item) => isAllowed(item, (schema.items ?? {}) as Schema))
}

function isAllowedText(value: string, schema: Schema): boolean {
  const { format, pattern } = schema as { readonly format?: string; readonly pattern?: string }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false
  if (format !== undefined && !(FORMATS[format]?.(value) ?? false)) return false
  return isWithin(value.length, schema, 'Length')
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: isUuid,
  'date-time': isDateTime,
  uri: isWebAddress,
}

function isNumberOf(value: number, type: unknown): boolean {
  return type === 'number' || (type === 'integer' && Number.isInteger(value))
}

/**
 * Tells whether a size is within the limits of a schema.
 * @param what end of the keywords that hold the limits: `minimum` and `maximum`, `minLength` and `maxLength`
 */
function isWithin(size: number, schema: Schema, what: 'imum' | 'Length'): boolean {
  return size >= Number(schema[`min${what}`] ?? -Infinity) && size <= Number(schema[`max${what}`] ?? Infinity)
}
