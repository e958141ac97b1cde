import type { Schema } from './check-faults.ts'

/**
 * Returns the type of a field in a few words for readers.
 * @param link makes the link to a named contract
 */
export function typeWords(schema: Schema, link: (name: string) => string): string {
  if (typeof schema.$ref === 'string') return link(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1))
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (branches !== undefined) return branches.map((branch) => typeWords(branch, link)).join(' or ')
  const types = ([schema.type] as unknown[]).flat().map(String)
  return types.map((type) => oneType(type, schema, link)).join(' or ')
}

function oneType(type: string, schema: Schema, link: (name: string) => string): string {
  if (type === 'array') return `list of ${typeWords((schema.items ?? { type: 'any' }) as Schema, link)}`
  if (type === 'string' && typeof schema.format === 'string') return schema.format
  return type === 'undefined' ? 'any' : type
}

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the limits, choices and default of a field, one phrase each. */
export function limitWords(schema: Schema): string[] {
  const words: string[] = []
  const range = (min: unknown, max: unknown, unit: string) => {
    if (min !== undefined && max !== undefined) words.push(`${plain(min)} to ${plain(max)}${unit}`)
    else if (min !== undefined) words.push(`at least ${plain(min)}${min === 1 ? unit.replace(/s$/, '') : unit}`)
    else if (max !== undefined) words.push(`at most ${plain(max)}${max === 1 ? unit.replace(/s$/, '') : unit}`)
  }
  range(schema.minLength, schema.maxLength, ' characters')
  range(schema.minItems, schema.maxItems, ' items')
  if (schema.minimum !== -2_147_483_648) range(schema.minimum, ownMaximum(schema), '')
  else range(undefined, ownMaximum(schema), '')
  if (schema.exclusiveMinimum !== undefined) words.push(`above ${plain(schema.exclusiveMinimum)}`)
  if (schema.exclusiveMaximum !== undefined) words.push(`below ${plain(schema.exclusiveMaximum)}`)
  const items = schema.items as Schema | undefined
  if (items !== undefined && items.$ref === undefined) words.push(...limitWords(items).map((word) => `each ${word}`))
  const choices = schema.enum as unknown[] | undefined
  if (choices !== undefined)
    words.push(
      `one of ${choices
        .filter((choice) => choice !== null)
        .map(plain)
        .join(', ')}`,
    )
  if (typeof schema.pattern === 'string') words.push(`matches ${schema.pattern}`)
  if (schema.default !== undefined) words.push(`default ${JSON.stringify(schema.default)}`)
  return words
}

/** Returns the maximum of a field; undefined for the one that `Int` sets by default, which is not worth a word. */
const ownMaximum = ({ maximum }: Schema) => (maximum === 2_147_483_647 ? undefined : maximum)

export interface FieldRow {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
}

/** Returns the fields of an object schema in their order; none for any other schema. */
export function fieldsOf(schema: Schema | undefined): FieldRow[] {
  const required = new Set((schema?.required ?? []) as string[])
  return Object.entries((schema?.properties ?? {}) as Record<string, Schema>).map(([name, field]) => ({
    name,
    isRequired: required.has(name),
    schema: field,
  }))
}
