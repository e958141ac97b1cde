import type { ErrorObject } from 'ajv'

/** Type and message of a fault, as pydantic v2 has them. Source: the error kinds listed in pydantic's documentation. */
export interface FaultMessage {
  readonly type: string
  readonly msg: string
}

type Params = Record<string, unknown>

const plural = (count: unknown, word: string) => `${String(count)} ${word}${count === 1 ? '' : 's'}`

const FORMATS: Readonly<Record<string, FaultMessage>> = {
  uuid: { type: 'uuid_parsing', msg: 'Input should be a valid UUID' },
  'date-time': { type: 'datetime_parsing', msg: 'Input should be a valid datetime' },
  uri: { type: 'url_parsing', msg: 'Input should be a valid URL' },
}

const TYPES: Readonly<Record<string, FaultMessage>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  integer: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  null: { type: 'none_required', msg: 'Input should be None' },
}

/** Types and messages for values that arrive as text: in a query, a path or a header. */
const PARSING: Readonly<Record<string, FaultMessage>> = {
  integer: { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' },
  number: { type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number' },
  boolean: { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' },
}

const RULES: Readonly<Record<string, (params: Params, value: unknown) => FaultMessage>> = {
  required: () => ({ type: 'missing', msg: 'Field required' }),
  additionalProperties: () => ({ type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }),
  minLength: (p) => ({ type: 'string_too_short', msg: `String should have at least ${plural(p.limit, 'character')}` }),
  maxLength: (p) => ({ type: 'string_too_long', msg: `String should have at most ${plural(p.limit, 'character')}` }),
  pattern: (p) => ({ type: 'string_pattern_mismatch', msg: `String should match pattern '${String(p.pattern)}'` }),
  format: (p) =>
    FORMATS[String(p.format)] ?? { type: 'value_error', msg: `Input should be a valid ${String(p.format)}` },
  enum: (p) => ({ type: 'enum', msg: `Input should be ${choices(p.allowedValues)}` }),
  const: (p) => ({ type: 'literal_error', msg: `Input should be ${choices([p.allowedValue])}` }),
  minimum: (p) => ({ type: 'greater_than_equal', msg: `Input should be greater than or equal to ${String(p.limit)}` }),
  maximum: (p) => ({ type: 'less_than_equal', msg: `Input should be less than or equal to ${String(p.limit)}` }),
  exclusiveMinimum: (p) => ({ type: 'greater_than', msg: `Input should be greater than ${String(p.limit)}` }),
  exclusiveMaximum: (p) => ({ type: 'less_than', msg: `Input should be less than ${String(p.limit)}` }),
  multipleOf: (p) => ({ type: 'multiple_of', msg: `Input should be a multiple of ${String(p.multipleOf)}` }),
  minItems: (p, value) => ({ type: 'too_short', msg: `List should have at least ${amount(p.limit, 'item', value)}` }),
  maxItems: (p, value) => ({ type: 'too_long', msg: `List should have at most ${amount(p.limit, 'item', value)}` }),
  minProperties: (p, value) => ({
    type: 'too_short',
    msg: `Dictionary should have at least ${amount(p.limit, 'item', value)}`,
  }),
  maxProperties: (p, value) => ({
    type: 'too_long',
    msg: `Dictionary should have at most ${amount(p.limit, 'item', value)}`,
  }),
  'x-language': (p) => ({ type: String(p.type), msg: String(p.msg) }),
  'x-decimal': (p) => ({ type: String(p.type), msg: String(p.msg) }),
  uniqueItems: () => ({ type: 'not_unique', msg: 'List should hold no item twice' }),
}

/**
 * Returns the pydantic message for one Ajv error.
 * @param fromText whether the value arrived as text and could not be converted
 */
export function messageOf(error: ErrorObject, value: unknown, fromText: boolean): FaultMessage {
  if (error.keyword === 'type') return typeMessage((error.params as Params).type, value, fromText)
  const rule = RULES[error.keyword]
  return rule === undefined ? { type: 'value_error', msg: 'Value is not valid' } : rule(error.params as Params, value)
}

function typeMessage(types: unknown, value: unknown, fromText: boolean): FaultMessage {
  const names = Array.isArray(types) ? (types as string[]) : [String(types)]
  const name = names.find((each) => each !== 'null') ?? 'null'
  if (fromText && typeof value === 'string' && name in PARSING) return PARSING[name]
  if (name === 'integer' && typeof value === 'number' && Number.isFinite(value)) {
    return { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' }
  }
  return TYPES[name] ?? { type: 'value_error', msg: 'Value is not valid' }
}

function choices(allowed: unknown): string {
  const words = (allowed as (string | number | null)[])
    .filter((word) => word !== null)
    .map((word) => `'${String(word)}'`)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`
}

function amount(limit: unknown, word: string, value: unknown): string {
  const actual = Array.isArray(value) ? value.length : Object.keys(value as object).length
  return `${plural(limit, word)} after validation, not ${actual}`
}
