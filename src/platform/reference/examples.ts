import type { Schema } from '../contract/check-faults.ts'
import { compileCheck } from '../contract/check.ts'
import { OF_FORMAT, SHOWN, VALUES } from './example-values.ts'

/** Which fields an example has: a request what one usually sends, an answer everything. */
type Side = 'request' | 'answer'

/**
 * An example that a contract allows. One that the contract names itself comes first.
 * @param name name of the field that it is for
 * @param owner name of the contract that the field is in
 */
export function exampleOf(contract: unknown, side: Side, name = '', owner = ''): unknown {
  const schema = contract as Schema
  const [own] = (schema.examples ?? []) as unknown[]
  if (own !== undefined) return own
  if (schema.const !== undefined) return schema.const
  const known = valuesFor(name, owner).find((value) => isAllowed(value, schema))
  if (known !== undefined) return known
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (branches !== undefined) return exampleOf(branches.find(({ type }) => type !== 'null'), side, name, owner)
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
    default:
      return schema.default ?? Math.max(Number(schema.minimum ?? 1), 1)
  }
}

function objectOf({ $id = '', properties = {}, required = [] }: Schema, side: Side): Record<string, unknown> {
  const fields = Object.entries(properties as Record<string, Schema>).filter(([, field]) => saysWhatItIs(field))
  const isShown = ([name]: readonly [string, Schema]): boolean =>
    side === 'answer' || (required as string[]).includes(name) || SHOWN.has(name)
  const shown = fields.filter(isShown)
  // A change needs no field at all, and would be an odd example without any.
  const chosen = shown.length === 0 && side === 'request' ? fields.slice(0, 1) : shown
  return Object.fromEntries(chosen.map(([name, field]) => [name, exampleOf(field, side, name, String($id))]))
}

/** @param owner name of the contract that the field is in */
function valuesFor(name: string, owner: string): readonly unknown[] {
  const ofProducts = owner.startsWith('Product') ? (VALUES[`Product.${name}`] ?? []) : []
  return [...ofProducts, ...(VALUES[name] ?? [])]
}

/** A field without a type is there to be refused. */
function saysWhatItIs(field: Schema): boolean {
  return ['type', 'anyOf', 'oneOf', 'const', 'enum'].some((keyword) => keyword in field)
}

function isAllowed(value: unknown, schema: Schema): boolean {
  // A check may write into what it checks.
  return compileCheck({ type: 'object', properties: { value: schema } }, ['body'])({ value: structuredClone(value) }) === null
}
