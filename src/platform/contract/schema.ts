import { DECIMAL_PATTERN } from './decimal.ts'
import {
  Type,
  type Static,
  type TArray,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from 'typebox'

export { Type, type Static, type TSchema }

type Annotations = {
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: unknown[]
}
type TextLimits = Annotations & { readonly minLength?: number; readonly maxLength?: number; readonly pattern?: string }
type NumberLimits = Annotations & {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
}
type ListLimits = Annotations & { readonly minItems?: number; readonly maxItems?: number }

type ObjectOptions = Annotations & {
  /**
   * Variants of the object by its field `type`. They are documentation for readers and generated types: a check looks
   * at the fields of the object alone, and rules demand the rest.
   */
  readonly 'x-variants'?: readonly TSchema[]
  /**
   * Fields of the answer's contract that a request may have too, as when a client sends back what it read. They are
   * ignored and named in X-Ignored, and `Prefer: handling=strict` does not refuse them.
   */
  readonly 'x-read-only'?: readonly string[]
}

/**
 * Makes the schema of a named object. OpenAPI uses the name for its component, so it must be unique. Unknown keys are
 * ignored.
 */
export function Contract<const T extends TProperties>(
  name: string,
  fields: T,
  options: ObjectOptions = {},
): TObject<T> {
  return Type.Object(fields, { $id: name, ...options })
}

/**
 * Makes the schema of a named object with some of the fields of another one. An answer has the fields that its request
 * asks for, so all of them are optional. Variants are left out, since they demand fields.
 */
export function PartOf<T extends TProperties>(name: string, whole: TObject<T>, options: Annotations = {}) {
  return Type.Object(Type.Partial(whole).properties, { $id: name, ...options })
}

/** Makes the schema of any object, with all of its keys. */
export function FreeForm(options: Annotations = {}): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })
}

/**
 * Makes the schema of text of at least one character, unless `minLength` says otherwise; lengths count Unicode code
 * points.
 */
export function Text(options: TextLimits = {}) {
  return Type.String({ minLength: 1, ...options })
}

/** Makes the schema of a language tag in any case. Handlers get its canonical form. */
export function LanguageTag(options: TextLimits = {}) {
  return Type.String({ 'x-language': true, ...options })
}

/** Makes the schema of a language that people have a name for. Handlers get its canonical form. */
export function NamedLanguage(options: TextLimits = {}) {
  return Type.String({ 'x-language': 'named', ...options })
}

/** Makes the schema of a language to filter by. */
export function LanguageFilter() {
  return Type.String({
    'x-language': 'filter',
    description: 'Regions do not count: `de` and `de-CH` both find `de` and `de-AT`',
  })
}

/** Makes the schema of a UUID of any version in canonical form, upper or lower case. Handlers get it in lower case. */
export function Uuid(options: Annotations = {}) {
  return Type.String({ format: 'uuid', 'x-lowercase': true, ...options })
}

/** Makes the schema of a date and time with an offset (RFC 3339). */
export function DateTime(options: Annotations = {}) {
  return Type.String({ format: 'date-time', ...options })
}

/** Makes the schema of one of some words. */
export function OneOf<const T extends readonly string[]>(values: T, options: Annotations = {}): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/**
 * Makes the schema of a whole number. Without limits it is a signed 32-bit integer, which every database column holds.
 */
export function Int(options: NumberLimits = {}) {
  return Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, ...options })
}

/** Makes the schema of a finite number. */
export function Num(options: NumberLimits = {}) {
  return Type.Number({ ...options })
}

type DecimalOptions = Annotations & { readonly maximum?: string }

/**
 * Makes the schema of an exact non-negative decimal: a JSON number or decimal text. Handlers get text with every digit
 * sent; for JSON numbers `config.exactNumbers` must name the field.
 * @param maximum decimal text
 */
export function Decimal(options: DecimalOptions = {}): TUnsafe<string> {
  return Type.Unsafe<string>(decimal(options, []))
}

/** Makes the schema of a `Decimal` or null. `Nullable` cannot: the check sees the keyword of the decimal alone. */
export function NullableDecimal(options: DecimalOptions = {}): TUnsafe<string | null> {
  return Type.Unsafe<string | null>(decimal(options, [{ type: 'null' }]))
}

function decimal({ maximum, ...options }: DecimalOptions, others: readonly object[]): TSchema {
  const number = { type: 'number', minimum: 0, ...(maximum === undefined ? {} : { maximum: Number(maximum) }) }
  const anyOf = [number, { type: 'string', pattern: DECIMAL_PATTERN }, ...others]
  return { anyOf, 'x-decimal': { maximum, isNullable: others.length > 0 }, ...options }
}

export function Flag(options: Annotations = {}) {
  return Type.Boolean({ ...options })
}

export function ListOf<T extends TSchema>(item: T, options: ListLimits = {}): TArray<T> {
  return Type.Array(item, { ...options })
}

/** Makes a schema that takes null as well. Written as `type: [T, "null"]` where possible, else as `anyOf`. */
export function Nullable<T extends TSchema>(schema: T, options: Annotations = {}): TUnsafe<Static<T> | null> {
  const plain = { ...(schema as Record<string, unknown>) }
  if (typeof plain.type !== 'string' || plain.$id !== undefined) {
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }], ...options })
  }
  const choices = Array.isArray(plain.enum) ? { enum: [...plain.enum, null] } : {}
  return Type.Unsafe<Static<T> | null>({ ...plain, type: [plain.type, 'null'], ...choices, ...options })
}

/**
 * Makes the schemas that fields have in a merge patch: null clears them, and they have no defaults, because a field that
 * a patch does not have stays as it is.
 */
export function Clearable<T extends TProperties>(
  fields: T,
): { [F in keyof T]: TOptional<TUnsafe<Static<T[F]> | null>> } {
  const clearable = Object.entries(fields).map(([name, field]) => {
    const { default: _default, ...rest } = field as TSchema & { readonly default?: unknown }
    return [name, Type.Optional(takesNull(rest) ? rest : Nullable(rest))]
  })
  return Object.fromEntries(clearable) as { [F in keyof T]: TOptional<TUnsafe<Static<T[F]> | null>> }
}

function takesNull(schema: TSchema): boolean {
  const { type, anyOf = [] } = schema as { readonly type?: unknown; readonly anyOf?: readonly TSchema[] }
  return [type].flat().includes('null') || anyOf.some(takesNull)
}

/** Makes the schema of path parameters that are all UUIDs. */
export function UuidParams<const T extends readonly string[]>(...names: T) {
  const fields = Object.fromEntries(names.map((name) => [name, Uuid()])) as Record<T[number], ReturnType<typeof Uuid>>
  return Type.Object(fields)
}

/** Description of an answer without a body in the OpenAPI document. */
export const NO_CONTENT = 'Done; there is nothing to say'

/** Answer with status 204. */
export const NoContent = Type.Null({ description: NO_CONTENT })
