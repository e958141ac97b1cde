import { type Kind, type Refusal, refuse, text, wide, wrongTypes } from './kinds.ts'

const AMOUNT = 'Decimal input should be an integer, float, string or Decimal object'
const TOO_MANY_DIGITS = 'Decimal input should have no more than 38 digits in total'
const UNREADABLE = ['1e3', '', '.', '+', '1,5', '1.5.0', ' 1', '1\n', '1_000', '0x1', 'NaN', 'Infinity', '١', 'text']

/**
 * Makes the kind of an exact non-negative decimal, as JSON number or text.
 * @param max decimal text
 */
export function decimal(max: string | null = null): Kind {
  const atMost = (value: unknown) => refuse(value, 'less_than_equal', `Input should be less than or equal to ${max}`)
  const atLeast = (value: unknown) => refuse(value, 'greater_than_equal', 'Input should be greater than or equal to 0')
  const tooMany = (value: unknown) => refuse(value, 'decimal_max_digits', TOO_MANY_DIGITS)
  const isAmount = (value: unknown) => typeof value === 'number' || typeof value === 'string'
  return {
    accepts: max === null ? [0, '0', '0.1', '9'.repeat(38)] : [0, Number(max), max, `${max}.${'0'.repeat(37)}`],
    refuses: [
      ...[-1, -0.01, '-0.01', `-0.${'0'.repeat(36)}1`].map(atLeast),
      ...(max === null ? [] : [Number(max) + 0.01, `${max}.01`, `${max}.${'0'.repeat(36)}1`].map(atMost)),
      ...['9'.repeat(39), `0.${'0'.repeat(38)}`, 1e39, 1e-39, 1e308].map(tooMany),
      ...UNREADABLE.map((value) => refuse(value, 'decimal_parsing', 'Input should be a valid decimal')),
      ...wrongTypes({ type: 'decimal_type', msg: AMOUNT }, isAmount),
    ],
    parsing: null,
    limits: {
      '': {
        minimum: 0,
        ...(max === null ? {} : { maximum: Number(max) }),
        pattern: String.raw`^[+-]?(\d+(\.\d*)?|\.\d+)$`,
      },
    },
  }
}

/** Makes the kind of any number in the range of a double. */
export function number(): Kind {
  const said = { type: 'float_type', msg: 'Input should be a valid number' }
  return {
    accepts: [0, -0, 0.25, -1, Number.MAX_VALUE, Number.MIN_VALUE],
    refuses: wrongTypes(said, (value) => typeof value === 'number'),
    parsing: { type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number' },
    limits: { '': {} },
  }
}

/**
 * Makes the kind of a site's slug.
 * @param letter makes an operation's accepted slugs unique
 */
export function slug(letter: string): Kind {
  const pattern = '^[a-z0-9-]{1,63}$'
  const bad = ['', letter.repeat(64), letter.toUpperCase(), `${letter} b`, `${letter}_b`, `${letter}\n`, 'ä', '/']
  return {
    accepts: [letter, letter.repeat(63), `${letter}-0`],
    refuses: [
      ...bad.map((value) => refuse(value, 'string_pattern_mismatch', `String should match pattern '${pattern}'`)),
      ...text(0, null).refuses,
    ],
    parsing: null,
    limits: { '': { pattern } },
  }
}

/** Makes the kind of a number of products, or a percentage. */
export function share(): Kind {
  const pattern = String.raw`^(\d{1,9}|(\d{1,2}|100)%)$`
  const bad = ['', '-1', '1.5', '+1', '%', '101%', '1e3', '9'.repeat(10), 'all', ' 1', '1\n', '5 %', '١']
  return {
    accepts: ['0', '9'.repeat(9), '0%', '25%', '100%'],
    refuses: [
      ...bad.map((value) => refuse(value, 'string_pattern_mismatch', `String should match pattern '${pattern}'`)),
      ...text(0, null).refuses,
    ],
    parsing: null,
    limits: { '': { pattern } },
  }
}

/** Makes the kind of a site by its id or slug. */
export function siteName(max: number | null, ...accepts: readonly string[]): Kind {
  const unknown = ['nowhere', '', accepts[0].slice(1), '00000000-0000-7000-8000-000000000000', ...borderOf(max)]
  const kind = text(0, max)
  return {
    ...kind,
    accepts: accepts.flatMap((each) => (each.includes('-') ? [each, each.toUpperCase()] : [each])),
    refuses: [
      ...kind.refuses,
      ...unknown.map((value): Refusal => refuse(value, 'reference_not_found', 'Site does not exist')),
    ],
  }
}

const borderOf = (max: number | null) => (max === null ? [] : [wide(max)])

/** Makes the kind of a time with an offset from UTC. */
export function moment(...accepts: readonly string[]): Kind {
  const bad = ['', 'x', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '0']
  return {
    accepts,
    refuses: [
      ...bad.map((value) => refuse(value, 'datetime_parsing', 'Input should be a valid datetime')),
      ...text(0, null).refuses,
    ],
    parsing: null,
    limits: { '': { format: 'date-time' } },
  }
}

/** Makes the kind of an object whose size as JSON is limited. */
export function bounded(of: Kind, bytes: number, name: string): Kind {
  const filled = (length: number) => ({ a: 'x'.repeat(length - JSON.stringify({ a: '' }).length) })
  const said = `${name} should have at most ${bytes} bytes as JSON`
  return {
    ...of,
    accepts: [...of.accepts, filled(bytes)],
    refuses: [...of.refuses, refuse(filled(bytes + 1), 'json_too_large', said)],
  }
}

/** Makes the kind of a web address, or a path of a site. */
export function address(): Kind {
  const pattern = String.raw`^(https?://[^\s/@\\?#]+([/?#]\S*)?|/([^\s/\\]\S*)?)$`
  const bad = ['', 'shop', 'ftp://a', 'javascript:a', '/a b', 'http:/a', '//a', '/\\a', 'https://a@b']
  const long = (length: number) => `/${wide(length - 1)}`
  return {
    accepts: ['/', 'https://shop.example/a?b=c', long(2_000)],
    refuses: [
      ...bad.map((value) => refuse(value, 'string_pattern_mismatch', `String should match pattern '${pattern}'`)),
      refuse(long(2_001), 'string_too_long', 'String should have at most 2000 characters'),
      ...text(0, null).refuses,
    ],
    parsing: null,
    limits: { '': { maxLength: 2_000, pattern } },
  }
}
