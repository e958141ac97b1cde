/** Random documents, filters and requests for property tests. Few distinct values, so that they collide often. */
import * as fc from 'fast-check'
import type {
  Filter,
  KeyFilter,
  IndexDefinition,
  IndexDocument,
  SearchRequest,
  Sort,
} from '../../../src/search/engine.ts'

export const DEFINITION: IndexDefinition = {
  name: 'things',
  textFields: { title: 3, body: 1, tags: 1.7 },
  keyFields: ['level', 'owner'],
  numberFields: ['expires', 'size'],
  facetFields: ['level', 'owner'],
  onceFields: ['tags'],
  nameField: 'title',
  hasProperties: true,
}

const WORDS = [
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
/** Words near some of the words, prefixes of some, and others. */
const MISTYPED = [
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
const PROPERTIES = ['x.colour', 'x.weight', 'x.size.wide'] as const
const VALUES = ['red', 'blue', '1', '1.5', '-5', '2026-01-01', ''] as const
const NUMBERS = [-5, 0, 1, 1.5, 2, 10] as const

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '))

/** Vectors that expose wrong error bounds: near ties, one-hot, zero, and extreme magnitudes. */
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

function scaled([values, magnitude]: [readonly number[], number]): Float32Array {
  return Float32Array.from(values, (value) => value * magnitude)
}

const asked = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...WORDS) }, fc.constantFrom(...MISTYPED))
const query = fc
  .oneof(
    { weight: 9, arbitrary: fc.array(asked, { maxLength: 5 }) },
    // More words than a search looks for, most of them unknown.
    {
      weight: 1,
      arbitrary: fc.array(
        fc.oneof(
          asked,
          fc.nat(999).map((n) => `x${n}`),
        ),
        { minLength: 80, maxLength: 120 },
      ),
    },
  )
  .map((words) => words.join(' '))

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
    passages: fc.array(fc.record({ vector: vectors(dimensions), start: fc.nat(100), end: fc.nat(100) }), {
      maxLength: 3,
    }),
  })
}

const property = fc.constantFrom(...PROPERTIES)

const bound = fc.constantFrom(null, ...NUMBERS)

const keyFilters: readonly fc.Arbitrary<KeyFilter>[] = [
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

const wide: fc.Arbitrary<Filter> = fc.oneof(fc.constant({ all: [] }), filters)

export function requests(dimensions: number): fc.Arbitrary<SearchRequest> {
  const requests = fc.record({
    version: fc.constant({ tenantId: 't', index: 'things', model: 'm', watermark: 0 }),
    mode: fc.constantFrom('semantic', 'keyword', 'hybrid'),
    query,
    vector: fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 9, arbitrary: vectors(dimensions) }),
    visible: wide,
    filter: wide,
    offset: fc.constantFrom(0, 0, 0, 1, 3, 50),
    limit: fc.constantFrom(0, 1, 2, 3, 10, 100),
    minSimilarity: fc.constantFrom(null, null, null, -1, -0.2, 0, 0.3, 0.9999999, 1),
    vectorWeight: fc.constantFrom(0.5, 1, 0, 3, -0.5),
    groups: fc.oneof(fc.constant(null), fc.record({ prefer: filters })),
    explain: fc.boolean(),
    ...sometimes(),
  })
  // The engine refuses both together.
  return requests.map((request) => (request.allWords === undefined ? request : { ...request, byQuery: undefined }))
}

/** Absent most of the time, as in most searches. */
function sometimes() {
  const range = fc.record({ above: bound, below: bound })
  const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const keyFacet = fc.record({
    field: fc.constantFrom('level', 'owner', ...PROPERTIES),
    limit: fc.constantFrom(0, 1, 2, 9),
    beginning: perhaps(fc.constantFrom([], ['p'], ['in'], ['ann', 'a'], ['bob', 'x'])),
  })
  const numberFacet = fc.record({
    field: fc.constantFrom('expires', 'size', 'x.weight'),
    ranges: fc.array(range, { maxLength: 2 }),
    instead: perhaps(fc.record({ field: fc.constantFrom('expires', 'size'), where: filters })),
  })
  const sort: fc.Arbitrary<Sort> = fc.oneof(
    fc.record({
      number: fc.constantFrom('expires', 'size', ...PROPERTIES),
      instead: perhaps(fc.record({ field: fc.constantFrom('expires', 'size'), where: filters })),
      descending: fc.boolean(),
    }),
    fc.record({ text: fc.constant(true as const), descending: fc.boolean() }),
  )
  const boost = fc.record({ id: fc.nat(29).map((n) => `d${n}`), boost: fc.constantFrom(0.2, -0.2, 0.05, 1e-9) })
  const raise = fc.record({
    filter: filters,
    bonus: fc.constantFrom(300, 0.3, -0.3, -20),
    qualifies: fc.boolean(),
  })
  const synonym = fc.record({
    of: fc.constantFrom(...WORDS, ...MISTYPED),
    word: fc.constantFrom(...WORDS),
    share: fc.constantFrom(1, 0.5),
  })
  return {
    facets: perhaps(
      fc.record({ keys: fc.array(keyFacet, { maxLength: 2 }), numbers: fc.array(numberFacet, { maxLength: 1 }) }),
    ),
    passages: perhaps(fc.boolean()),
    sort: perhaps(sort),
    relevance: perhaps(fc.record({ minSimilarityWithoutMatch: fc.constantFrom(-0.2, 0, 0.3, 0.999, 2) })),
    allWords: perhaps(
      fc.record({
        enough: fc.constantFrom(1, 2, 5, 100),
        shareMin: fc.constantFrom(0, 0.3, 0.5, 0.9, 1),
        bonus: fc.constantFrom(0, 0.3, 2),
      }),
    ),
    named: perhaps(fc.record({ bonus: fc.constantFrom(0.3, 2) })),
    rated: perhaps(fc.record({ min: fc.constantFrom(null, 0, 0.1, 0.2, 0.5, 0.9, 1) })),
    byQuery: perhaps(fc.boolean()),
    fuzzy: perhaps(fc.boolean()),
    prefixLast: perhaps(fc.boolean()),
    corrections: perhaps(fc.boolean()),
    everyWord: perhaps(fc.boolean()),
    pin: perhaps(fc.record({ filter: fc.oneof(...keyFilters), bonus: fc.constantFrom(3, 0.01, 20) })),
    boosts: perhaps(fc.array(boost, { maxLength: 4 })),
    raises: perhaps(fc.array(raise, { maxLength: 3 })),
    synonyms: perhaps(fc.array(synonym, { maxLength: 3 })),
  }
}
