import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compareDecimals, literalOf, readDecimal } from './decimal.ts'
import { parseJson } from './json.ts'

const NAMES = new Set(['price', 'rating'])
const parse = (text: string) => parseJson(Buffer.from(text), ['body'], NAMES) as Record<string, unknown>
const digits = (max: number) => fc.array(fc.nat(9), { minLength: 1, maxLength: max }).map((list) => list.join(''))
const decimal = fc.tuple(digits(18), fc.option(digits(18), { nil: null })).map(([whole, fraction]) => {
  const plain = whole.replace(/^0+(?=\d)/, '')
  return fraction === null ? plain : `${plain}.${fraction}`
})

test('a decimal comes back with every digit, from text and from a number', () => {
  fc.assert(
    fc.property(decimal, (text) => {
      assert.deepEqual(readDecimal(text, undefined, null), { text })
      const value = parse(`{"price":${text}}`)
      assert.deepEqual(readDecimal(value.price, literalOf(value, 'price'), null), { text })
    }),
  )
})

test('a number with an exponent means the same without it', () => {
  fc.assert(
    fc.property(fc.nat(999_999), fc.nat(9_999), fc.integer({ min: -12, max: 12 }), (whole, fraction, exponent) => {
      const literal = `${whole}.${fraction}e${exponent}`
      const read = readDecimal(Number(literal), literal, null)
      assert.ok('text' in read)
      assert.doesNotMatch(read.text, /e/i)
      // As whole numbers of the smallest place, so that nothing is rounded.
      const scaled = (text: string, places: number) => {
        const [a, b = ''] = text.split('.')
        return BigInt(a + b.padEnd(places, '0'))
      }
      assert.equal(scaled(read.text, 30), scaled(`${whole}.${fraction}`, 30 + exponent))
    }),
  )
})

test('only the number under the key itself is read, however often its name occurs elsewhere', () => {
  const cases: [string, string | undefined][] = [
    ['{"price": 19.90}', '19.90'],
    ['{"a":{"price":1.10},"price":2.20,"b":[{"price":3.30}]}', '2.20'],
    ['{"a":{"price":1.10}}', undefined],
    ['{"a":"\\"price\\": 1.10","price":2.20}', '2.20'],
    ['{"a":"price","price":2.20}', '2.20'],
    ['{"a":{"price":1.10},"pr\\u0069ce":2.20}', '2.20'],
    ['{"pr\\u0069ce":2.20,"a":"ü"}', '2.20'],
    ['{"price":"2.20","rating":4.50}', undefined],
    ['{"price"\n:\t-0.50 }', '-0.50'],
    ['[{"price":1.10}]', undefined],
  ]
  for (const [text, expected] of cases) assert.equal(literalOf(parse(text), 'price'), expected, text)
})

test('decimals are ordered by their value', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const scaled = (text: string) => {
        const [whole, fraction = ''] = text.split('.')
        return BigInt(whole + fraction.padEnd(20, '0'))
      }
      const expected = scaled(a) < scaled(b) ? -1 : scaled(a) > scaled(b) ? 1 : 0
      assert.equal(Math.sign(compareDecimals(a, b)), expected)
    }),
  )
})

test('text, negative numbers and infinity are refused in the words of pydantic', () => {
  const refused: [unknown, string | undefined, string][] = [
    ['1e3', undefined, 'decimal_parsing'],
    ['0x10', undefined, 'decimal_parsing'],
    ['1_000', undefined, 'decimal_parsing'],
    ['-1', undefined, 'greater_than_equal'],
    [-0.5, '-0.5', 'greater_than_equal'],
    [1e300, '1e300', 'decimal_max_digits'],
    [0, '0e999999999', 'decimal_max_digits'],
    [1e-300, '1e-300', 'decimal_max_digits'],
    [null, undefined, 'decimal_type'],
    [{}, undefined, 'decimal_type'],
  ]
  for (const [value, literal, type] of refused) {
    const read = readDecimal(value, literal, null)
    assert.equal('fault' in read && read.fault.type, type, String(value))
  }
  const above = readDecimal('5.01', undefined, '5')
  assert.deepEqual(above, { fault: { type: 'less_than_equal', msg: 'Input should be less than or equal to 5' } })
  assert.deepEqual(readDecimal(1e3, undefined, null), { text: '1000' })
})
