import type { Schema } from './check-faults.ts'

type Convert = (value: unknown) => unknown

/**
 * Text of a whole number. It may have more digits than any limit allows, so that the message for a large number says
 * that it is too large, and not that it is malformed.
 */
const WHOLE = /^[+-]?\d{1,300}$/
const DECIMAL = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?$/
const TRUE = new Set(['true', '1', 'yes', 'on', 't', 'y'])
const FALSE = new Set(['false', '0', 'no', 'off', 'f', 'n'])

/**
 * Returns a function that converts the text parameters of an object schema in place. Each declared field is converted
 * to the type of its schema if the text allows it, and otherwise stays as it is for the check to refuse.
 */
export function coercionFor(schema: Schema): (fields: Record<string, unknown>) => void {
  const converts: [string, Convert][] = []
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    const convert = conversionFor(field)
    if (convert !== null) converts.push([name, convert])
  }
  return (fields) => {
    for (const [name, convert] of converts) {
      const value = fields[name]
      if (value !== undefined) fields[name] = convert(value)
    }
  }
}

function conversionFor(schema: Schema): Convert | null {
  const branches = (schema.anyOf as Schema[] | undefined) ?? [schema]
  const types = new Set(branches.flatMap((branch) => branch.type as string | string[]))
  if (types.has('array')) {
    const list = branches.find((branch) => branch.items !== undefined)
    const each = list === undefined ? null : conversionFor(list.items as Schema)
    return (value) => {
      const values = Array.isArray(value) ? value : [value]
      return each === null ? values : values.map(each)
    }
  }
  if (types.has('integer')) return toWhole
  if (types.has('number')) return toNumber
  if (types.has('boolean')) return toFlag
  return null
}

const toWhole: Convert = (value) => (typeof value === 'string' && WHOLE.test(value) ? Number(value) : value)
const toNumber: Convert = (value) => (typeof value === 'string' && DECIMAL.test(value) ? finite(value) : value)

function finite(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

const toFlag: Convert = (value) => {
  if (typeof value !== 'string') return value
  const word = value.toLowerCase()
  if (TRUE.has(word)) return true
  return FALSE.has(word) ? false : value
}
