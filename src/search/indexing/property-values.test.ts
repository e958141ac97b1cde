import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberOfValue, propertiesOf } from './property-values.ts'
import { sortTextOf } from './sort-text.ts'

test('the scalar values of an object are found by their paths, lists flattened, nothing left out by its type', () => {
  const object = { a: 1, b: [true, 'x', 'x', [2]], c: { d: 'y', e: null, f: [{ g: 1 }, { g: 2 }] }, h: {}, i: [] }
  assert.deepEqual(propertiesOf('m', object), {
    'm.a': ['1'],
    'm.b': ['true', 'x', '2'],
    'm.c.d': ['y'],
    'm.c.f.g': ['1', '2'],
  })
})

test('a long value is known to be there without its text, and the number of values and the length of names are bounded', () => {
  const properties = propertiesOf('m', { long: 'x'.repeat(101), fits: 'x'.repeat(100), [`n${'x'.repeat(98)}`]: 1 })
  assert.deepEqual(Object.keys(properties), ['m.long', 'm.fits'])
  assert.deepEqual([properties['m.long'], properties['m.fits'].length], [[], 1])
  const many = propertiesOf('m', { list: Array.from({ length: 100 }, (_, i) => i) })
  assert.equal(many['m.list'].length, 64)
})

test('decimals, dates and moments are numbers, everything else is not', () => {
  const numbers: [string, number][] = [
    ['1.5', 1.5],
    ['-3', -3],
    ['1e21', 1e21],
    ['2026-01-02', Date.UTC(2026, 0, 2)],
    ['2026-01-02T03:04:05.678Z', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    ['2026-01-02T03:04+01:00', Date.UTC(2026, 0, 2, 2, 4)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
  ]
  for (const [text, number] of numbers) assert.equal(numberOfValue(text), number, text)
  for (const text of ['2026-02-29', '1900-02-29', '2026-02-31', '2026-04-31T10:00Z', '1e999', '-1e999']) {
    assert.ok(Number.isNaN(numberOfValue(text)), text)
  }
  for (const text of ['', 'x', '1,5', '1.', '.5', '0x10', '1 2', '2026-13-45', '-', 'Infinity', '12-01-2026']) {
    assert.ok(Number.isNaN(numberOfValue(text)), text)
  }
})

test('titles are sorted without case, accents and leading signs', () => {
  const titles = ['»Zebra«', 'Äpfel', 'affe', 'Öl', 'Affe 2', '10 Tipps']
  const sorted = titles.toSorted((a, b) => (sortTextOf(a) < sortTextOf(b) ? -1 : 1))
  assert.deepEqual(sorted, ['10 Tipps', 'Äpfel', 'affe', 'Affe 2', 'Öl', '»Zebra«'])
  assert.ok(sortTextOf('x'.repeat(500)).length <= 32)
})
