/** A fault as the answer has it, without its place. */
interface Said {
  readonly type: string
  readonly msg: string
}

/** A refused value, its place within the field, and the expected fault. */
export interface Refusal extends Said {
  readonly value: unknown
  /** Place within the field, such as `0` for the first item of a list. */
  readonly at: readonly string[]
  /** Whether the JSON type is wrong. Text parameters have no types. */
  readonly isType: boolean
}

/** JSON Schema keywords by place within the field: `` for the field itself, `[]` for its items. */
export type Limits = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Values that a field accepts and refuses: values at each border, one beyond it, and values of other types. */
export interface Kind {
  readonly accepts: readonly unknown[]
  readonly refuses: readonly Refusal[]
  /** The fault for text that cannot be converted, when the field is a parameter. */
  readonly parsing: Said | null
  readonly limits: Limits
}

const WRONG_TYPES = [5, true, 'text', [], {}, null] as const
const CJK_EXTENSION_B = 0x20000
const INT32_MAX = 2_147_483_647

/**
 * Makes a refusal.
 * @param at place within the field
 */
export const refuse = (value: unknown, type: string, msg: string, at: readonly string[] = []): Refusal => ({
  value,
  type,
  msg,
  at,
  isType: false,
})

/** Returns values of every type except the right one. */
export function wrongTypes(said: Said, isRight: (value: unknown) => boolean): Refusal[] {
  return WRONG_TYPES.filter((value) => !isRight(value)).map((value) => ({ ...said, value, at: [], isType: true }))
}

const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`
const items = (count: number) => `${count} item${count === 1 ? '' : 's'}`

/**
 * Returns text of so many code points, each with two UTF-16 units and four bytes of UTF-8. It finds code that counts
 * anything other than code points, or relies on compression.
 */
export function wide(length: number): string {
  let state = length + 1
  let text = ''
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += String.fromCodePoint(CJK_EXTENSION_B + ((state >>> 8) % 40_000))
  }
  return text
}

/** Returns Latin text of so many characters, for limits that would otherwise exceed a body of 2 MiB. */
export const narrow = (length: number): string => (length < 2 ? 'x'.repeat(length) : `x${'-'.repeat(length - 2)}x`)

/** Returns text of so many characters with almost nothing to embed and to find. */
export const hollow = (length: number): string => (length < 2 ? narrow(length) : `x${' '.repeat(length - 2)}x`)

export function text(min: number, max: number | null, fill = wide): Kind {
  const said = { type: 'string_type', msg: 'Input should be a valid string' }
  return {
    accepts: [fill(min), fill(max ?? min + 1)],
    refuses: [
      ...(min === 0
        ? []
        : [refuse(fill(min - 1), 'string_too_short', `String should have at least ${characters(min)}`)]),
      ...(max === null
        ? []
        : [refuse(fill(max + 1), 'string_too_long', `String should have at most ${characters(max)}`)]),
      ...wrongTypes(said, (value) => typeof value === 'string'),
    ],
    parsing: null,
    limits: {
      '': { ...(min === 0 ? {} : { minLength: min }), ...(max === null ? {} : { maxLength: max }) },
    },
  }
}

function range(min: number, max: number): Refusal[] {
  return [
    refuse(min - 1, 'greater_than_equal', `Input should be greater than or equal to ${min}`),
    refuse(max + 1, 'less_than_equal', `Input should be less than or equal to ${max}`),
    refuse(2 ** 53 + 2, 'less_than_equal', `Input should be less than or equal to ${max}`),
  ]
}

export function whole(min: number, max = INT32_MAX): Kind {
  const said = { type: 'int_type', msg: 'Input should be a valid integer' }
  const fraction = 'Input should be a valid integer, got a number with a fractional part'
  return {
    accepts: [min, max],
    refuses: [
      ...range(min, max),
      { ...refuse(min + 0.5, 'int_from_float', fraction), isType: true },
      { ...refuse(String(min), said.type, said.msg), isType: true },
      ...wrongTypes(said, (value) => typeof value === 'number'),
    ],
    parsing: {
      type: 'int_parsing',
      msg: 'Input should be a valid integer, unable to parse string as an integer',
    },
    limits: { '': { minimum: min, maximum: max } },
  }
}

export function real(min: number, max: number): Kind {
  const said = { type: 'float_type', msg: 'Input should be a valid number' }
  return {
    accepts: [min, max, (min + max) / 2, -0],
    refuses: [
      ...range(min, max),
      refuse(max + 1e-9, 'less_than_equal', `Input should be less than or equal to ${max}`),
      refuse(min - 1e-9, 'greater_than_equal', `Input should be greater than or equal to ${min}`),
      { ...refuse(String(min), said.type, said.msg), isType: true },
      ...wrongTypes(said, (value) => typeof value === 'number'),
    ],
    parsing: { type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number' },
    limits: { '': { minimum: min, maximum: max } },
  }
}

export function flag(): Kind {
  const said = { type: 'bool_type', msg: 'Input should be a valid boolean' }
  return {
    accepts: [true, false],
    refuses: [
      { ...refuse('true', said.type, said.msg), isType: true },
      { ...refuse(1, said.type, said.msg), isType: true },
      ...wrongTypes(said, (value) => typeof value === 'boolean'),
    ],
    parsing: { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' },
    limits: { '': {} },
  }
}

/** Makes the kind of one of these words; `accepts` may leave out words that other rules refuse. */
export function word(words: readonly string[], accepts = words): Kind {
  const quoted = words.map((each) => `'${each}'`)
  const said = { type: 'enum', msg: `Input should be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` }
  return {
    accepts,
    refuses: [
      refuse(`${words[0]}x`, said.type, said.msg),
      refuse(words[0].toUpperCase(), said.type, said.msg),
      refuse('', said.type, said.msg),
      ...wrongTypes(said, () => false),
    ],
    parsing: null,
    limits: { '': { enum: words } },
  }
}

/** Makes the kind of an id; for a reference, `accepts` has ids that exist. */
export function id(...accepts: readonly string[]): Kind {
  const said = { type: 'uuid_parsing', msg: 'Input should be a valid UUID' }
  const good = '0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'
  const bad = ['zz', good.slice(1), `${good}0`, good.replaceAll('-', ''), `{${good}}`, good.replace('0', 'g')]
  return {
    accepts: accepts.flatMap((each) => [each, each.toUpperCase()]),
    refuses: [
      ...bad.map((value) => refuse(value, said.type, said.msg)),
      ...wrongTypes({ type: 'string_type', msg: 'Input should be a valid string' }, (v) => typeof v === 'string'),
    ],
    parsing: null,
    limits: { '': { format: 'uuid' } },
  }
}

/**
 * Makes the kind of a language tag.
 * @param max characters; null for a filter, which has no limits of length
 */
export function language(max: number | null): Kind {
  const said = { type: 'language_parsing', msg: 'Input should be a valid language tag such as de, en or pt-BR' }
  const bad = max === null ? ['', 'd', 'en_US', 'de-', 'tag!'] : ['en_US', 'de-', '12', 'sh']
  const sized = text(2, max, narrow)
  return {
    accepts: ['de', 'EN', 'pt-br', ...(max === null ? ['zh-Hans-CN'] : [])],
    refuses: [
      ...bad.map((value) => refuse(value, said.type, said.msg)),
      ...sized.refuses.filter(({ isType }) => isType || max !== null),
    ],
    parsing: null,
    limits: max === null ? { '': {} } : sized.limits,
  }
}

/** Makes the kind of an http or https address of at most so many characters. */
export function address(max: number): Kind {
  const said = { type: 'url_parsing', msg: 'Input should be a valid URL' }
  const long = (length: number) => 'https://example.com/'.padEnd(length, 'x')
  const bad = [
    '',
    'example.com/page',
    '/page',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://',
    'https://a b/',
    'https://a\nb',
  ]
  bad.push('https://user:word@a/', 'https://a/\u202e')
  return {
    accepts: ['http://x', 'HTTPS://example.com:8080/a?b=%20#c', 'https://bücher.example/ü', long(max)],
    refuses: [
      ...bad.map((value) => refuse(value, said.type, said.msg)),
      refuse(long(max + 1), 'string_too_long', `String should have at most ${characters(max)}`),
      ...wrongTypes({ type: 'string_type', msg: 'Input should be a valid string' }, (v) => typeof v === 'string'),
    ],
    parsing: null,
    limits: { '': { format: 'uri', maxLength: max } },
  }
}

export function object(...accepts: readonly object[]): Kind {
  const said = { type: 'dict_type', msg: 'Input should be a valid dictionary' }
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  return { accepts, refuses: wrongTypes(said, isObject), parsing: null, limits: { '': {} } }
}

/**
 * Makes the kind of an object with these fields.
 * @param good a valid one, with all the required fields
 */
export function record(
  fields: Readonly<Record<string, Kind>>,
  good: Readonly<Record<string, unknown>>,
  required: readonly string[],
): Kind {
  const { refuses } = object()
  const missing = required.map((name) => {
    const { [name]: _left, ...rest } = good
    return refuse(rest, 'missing', 'Field required', [name])
  })
  const of = <T>(choose: (kind: Kind) => readonly T[]) =>
    Object.entries(fields).flatMap(([name, kind]) => choose(kind).map((each) => ({ name, each })))
  return {
    accepts: [good, ...of(({ accepts }) => accepts).map(({ name, each }) => ({ ...good, [name]: each }))],
    refuses: [
      ...missing,
      ...of((kind) => kind.refuses).map(({ name, each }) => ({
        ...each,
        value: { ...good, [name]: each.value },
        at: [name, ...each.at],
      })),
      ...refuses,
    ],
    parsing: null,
    limits: {
      '': {},
      ...Object.fromEntries(
        of((kind) => Object.entries(kind.limits)).map(({ name, each: [place, limits] }) => [
          `.${name}${place}`,
          limits,
        ]),
      ),
    },
  }
}

/**
 * Makes the kind of a list.
 * @param item the i-th of distinct items, for a list at its border; a list without a limit is tried with a thousand
 *   items
 */
export function list(of: Kind, min: number, max: number | null, item: (i: number) => unknown): Kind {
  const filled = (length: number) => Array.from({ length }, (_, i) => item(i))
  const said = { type: 'list_type', msg: 'Input should be a valid list' }
  const long = (most: number) => `List should have at most ${items(most)} after validation, not ${most + 1}`
  const short = `List should have at least ${items(min)} after validation, not ${min - 1}`
  return {
    accepts: [filled(min), filled(max ?? 1_000), ...of.accepts.map((value) => [value])],
    refuses: [
      ...(max === null ? [] : [refuse(filled(max + 1), 'too_long', long(max))]),
      ...(min === 0 ? [] : [refuse(filled(min - 1), 'too_short', short)]),
      ...of.refuses.map((refusal) => ({ ...refusal, value: [refusal.value], at: ['0', ...refusal.at] })),
      ...wrongTypes(said, Array.isArray),
    ],
    parsing: null,
    limits: {
      '': { ...(min === 0 ? {} : { minItems: min }), ...(max === null ? {} : { maxItems: max }) },
      ...Object.fromEntries(Object.entries(of.limits).map(([place, limits]) => [`[]${place}`, limits])),
    },
  }
}

/** Makes the kind of a field that may be null. */
export function nullable(kind: Kind): Kind {
  return { ...kind, accepts: [...kind.accepts, null], refuses: kind.refuses.filter(({ value }) => value !== null) }
}
