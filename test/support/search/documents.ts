/** Makes random documents and filters for property tests. They have few distinct values, so that they collide often. */
import * as fc from 'fast-check'
import type { Filter, KeyFilter, IndexDefinition, IndexDocument } from '../../../src/search/engine.ts'

export const DEFINITION: IndexDefinition = {
  name: 'things',
  // Parts of a power of two: then sums are the same in whatever order.
  textFields: { title: 3, body: 1, tags: 1.75 },
  keyFields: ['level', 'owner'],
  audienceFields: ['level'],
  ownerField: 'owner',
  numberFields: ['expires', 'size'],
  facetFields: ['level', 'owner'],
  onceFields: ['tags'],
  nameField: 'title',
  hasProperties: true,
}

export const WORDS = [
  'red',
  'green',
  'blue',
  'lamp',
  'lamps',
  'chair',
  'table',
  'tablet',
  'tablets',
  'wood',
  'steel',
  'w00d',
  '00',
] as const
/** Words near some of `WORDS`, prefixes of some, and others. */
export const MISTYPED = [
  'lmap',
  'lampp',
  'tabel',
  'talbests',
  'tabletts',
  'stel',
  'blu',
  'ta',
  'l',
  'w00d',
  'chairman',
] as const
const LEVELS = ['public', 'internal', 'secret'] as const
const OWNERS = ['ann', 'bob'] as const
const LANGUAGES = ['de', 'en', 'fr'] as const
export const PROPERTIES = ['x.colour', 'x.weight', 'x.size.wide'] as const
const VALUES = ['red', 'blue', '1', '1.5', '-5', '2026-01-01', ''] as const
const NUMBERS = [-5, 0, 1, 1.5, 2, 10] as const

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '))

/** Makes vectors that expose wrong error bounds: near ties, one-hot, zero, and extreme magnitudes. */
export function vectors(dimensions: number): fc.Arbitrary<Float32Array> {
  const component = fc.double({ min: -1, max: 1, noNaN: true })
  const dense = fc.array(component, { minLength: dimensions, maxLength: dimensions })
  const base = Array.from({ length: dimensions }, (_, i) => Math.sin(i + 1))
  const near = fc
    .tuple(fc.nat(dimensions - 1), fc.constantFrom(0, 1e-7, -1e-7, 1e-4))
    .map(([at, step]) => base.map((value, i) => (i === at ? value + step : value)))
  const oneHot = fc.nat(dimensions - 1).map((at) => base.map((_, i) => (i === at ? 1 : 0)))
  const spiky = fc.tuple(dense, fc.nat(dimensions - 1)).map(([values, at]) => values.map((v, i) => (i === at ? 40 : v)))
  const magnitude = fc.constantFrom(1, 1e-30, 1e15, 0.001)
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(dense, fc.constant(1)).map(scaled) },
    { weight: 3, arbitrary: fc.tuple(near, magnitude).map(scaled) },
    { weight: 1, arbitrary: fc.tuple(oneHot, magnitude).map(scaled) },
    { weight: 1, arbitrary: fc.tuple(spiky, fc.constant(1)).map(scaled) },
    { weight: 1, arbitrary: fc.constant(new Float32Array(dimensions)) },
  )
}

/** Makes vectors as documents have them: of length 1 or less, and up to 2 for a passage that waits to be read. */
function storedVectors(dimensions: number): fc.Arbitrary<Float32Array> {
  return vectors(dimensions).map((vector) => {
    const length = Math.hypot(...vector)
    return length <= 2 ? vector : vector.map((component) => component / length)
  })
}

function scaled([values, magnitude]: [readonly number[], number]): Float32Array {
  return Float32Array.from(values, (value) => value * magnitude)
}

export function documents(dimensions: number, ids = 24): fc.Arbitrary<IndexDocument> {
  return fc.record({
    id: fc.nat(ids - 1).map((n) => `d${n}`),
    language: fc.constantFrom(...LANGUAGES),
    changedAt: fc.nat(3),
    group: fc.nat(7).map((n) => `g${n}`),
    text: fc.record({
      title: fc.array(text, { maxLength: 1 }),
      body: fc.array(text, { maxLength: 2 }),
      tags: fc.array(text, { maxLength: 2 }),
    }),
    keys: fc.record({
      level: fc.array(fc.constantFrom(...LEVELS), { maxLength: 2 }),
      owner: fc.array(fc.constantFrom(...OWNERS), { maxLength: 1 }),
    }),
    numbers: fc.record({ expires: fc.constantFrom(null, ...NUMBERS), size: fc.constantFrom(null, ...NUMBERS) }),
    sortText: fc.constantFrom('', 'a', 'b', 'bb'),
    properties: fc.dictionary(
      fc.constantFrom(...PROPERTIES),
      fc.uniqueArray(fc.constantFrom(...VALUES), { maxLength: 3 }),
      {
        maxKeys: 2,
      },
    ),
    passages: fc.array(fc.record({ vector: storedVectors(dimensions), start: fc.nat(100), end: fc.nat(100) }), {
      maxLength: 3,
    }),
  })
}

const property = fc.constantFrom(...PROPERTIES)

export const bound = fc.constantFrom(null, ...NUMBERS)

export const keyFilters: readonly fc.Arbitrary<KeyFilter>[] = [
  fc.record({ field: fc.constant('level'), anyOf: fc.subarray([...LEVELS]) }),
  fc.record({ field: fc.constant('owner'), anyOf: fc.subarray([...OWNERS, 'nobody']) }),
]

export const filters: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    ...keyFilters,
    fc.record({ number: fc.constant('expires'), above: bound, below: bound, orMissing: fc.boolean() }),
    fc.record({ field: property, anyOf: fc.subarray([...VALUES]) }),
    fc.record({ number: property, above: bound, below: bound, orMissing: fc.boolean() }),
    fc.record({ number: fc.oneof(fc.constant('expires'), property), anyOf: fc.shuffledSubarray([...NUMBERS]) }),
    fc.record({ present: fc.oneof(property, fc.constantFrom('level', 'owner')) }),
    fc.record({ all: fc.array(tie('filter'), { maxLength: 2 }) }),
    fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
})).filter
