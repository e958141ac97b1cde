/**
 * Makes random requests for property tests: any mixture of options, each of them rare, and requests like those of the
 * real callers.
 */
import * as fc from 'fast-check'
import type { Filter, SearchRequest, Sort } from '../../../src/search/engine.ts'
import { bound, filters, keyFilters, MISTYPED, PROPERTIES, vectors, WORDS } from './documents.ts'

const queryWord = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...WORDS) }, fc.constantFrom(...MISTYPED))
const query = fc
  .oneof(
    { weight: 9, arbitrary: fc.array(queryWord, { maxLength: 5 }) },
    // More words than a search looks for, most of them unknown.
    {
      weight: 1,
      arbitrary: fc.array(
        fc.oneof(
          queryWord,
          fc.nat(999).map((n) => `x${n}`),
        ),
        { minLength: 80, maxLength: 120 },
      ),
    },
  )
  .map((words) => words.join(' '))

const wide: fc.Arbitrary<Filter> = fc.oneof({ weight: 2, arbitrary: fc.constant<Filter>({ all: [] }) }, filters)

/** Returns an option that most requests do without. */
function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
}

/** Returns an option that is there in every other request. */
function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(fc.constant(undefined), arbitrary)
}

const range = fc.record({ above: bound, below: bound })
const keyFacet = fc.record({
  field: fc.constantFrom('level', 'owner', ...PROPERTIES),
  limit: fc.constantFrom(0, 1, 2, 9),
  beginning: maybe(fc.constantFrom([], ['p'], ['in'], ['ann', 'a'], ['bob', 'x'])),
})
const replaced = fc.record({ field: fc.constantFrom('expires', 'size'), where: filters })
const numberFacet = fc.record({
  field: fc.constantFrom('expires', 'size', 'x.weight'),
  ranges: fc.array(range, { maxLength: 2 }),
  instead: maybe(replaced),
})
const facets = fc.record({
  keys: fc.array(keyFacet, { maxLength: 2 }),
  numbers: fc.array(numberFacet, { maxLength: 1 }),
})
const sort: fc.Arbitrary<Sort> = fc.oneof(
  fc.record({
    number: fc.constantFrom('expires', 'size', ...PROPERTIES),
    instead: maybe(replaced),
    descending: fc.boolean(),
  }),
  fc.record({ text: fc.constant(true as const), descending: fc.boolean() }),
)
const boost = fc.record({ id: fc.nat(29).map((n) => `d${n}`), boost: fc.constantFrom(0.2, -0.2, 0.05, 1e-9) })
const boosts = fc.array(boost, { maxLength: 4 })
const raise = fc.record({
  filter: filters,
  bonus: fc.constantFrom(300, 0.3, -0.3, -20),
  qualifies: fc.boolean(),
})
const raises = fc.array(raise, { maxLength: 3 })
const synonym = fc.record({
  of: fc.constantFrom(...WORDS, ...MISTYPED),
  word: fc.constantFrom(...WORDS),
  share: fc.constantFrom(1, 0.5),
})
const synonyms = fc.array(synonym, { maxLength: 3 })
const pin = fc.record({ filter: fc.oneof(...keyFilters), bonus: fc.constantFrom(3, 0.01, 20) })
const rated = fc.record({ min: fc.constantFrom(null, 0, 0.1, 0.2, 0.5, 0.9, 1) })
const groups = fc.oneof(fc.constant(null), fc.record({ prefer: filters }))
/** Scales that leave cosines as they are, stretch and squeeze them, and turn most of them over or under 0. */
const scales = fc.record({
  factor: fc.oneof(fc.constantFrom(1, 5, 0.2, 1e-4, 40), fc.double({ min: 0.01, max: 10, noNaN: true })),
  offset: fc.oneof(fc.constantFrom(0, -4, 0.8, -30), fc.double({ min: -8, max: 8, noNaN: true })),
})
const enough = fc.constantFrom(1, 2, 5, 100)

/** Makes the options that every request has. */
function plain(dimensions: number) {
  const vector = fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 9, arbitrary: vectors(dimensions) })
  return {
    version: fc.constant({ tenantId: 't', index: 'things', model: 'm', watermark: 0 }),
    query,
    vector,
    visible: wide,
    filter: wide,
    offset: fc.constantFrom(0, 0, 0, 0, 0, 1, 3, 50),
    limit: fc.constantFrom(0, 1, 1, 2, 3, 10, 100),
    minSimilarity: fc.constant<number | null>(null),
    scale: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: scales }),
    vectorWeight: fc.constantFrom(0.5, 0.5, 1, 0, 3, -0.5),
    groups,
    explain: fc.boolean(),
  }
}

/**
 * Makes options in any combination, also those that no caller may combine.
 * @param seldom makes an option that is not in every request
 */
function mixtures(dimensions: number, seldom: typeof rarely): fc.Arbitrary<SearchRequest> {
  const mixed: fc.Arbitrary<SearchRequest> = fc.record({
    ...plain(dimensions),
    mode: fc.constantFrom('semantic', 'keyword', 'hybrid'),
    minSimilarity: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      fc.constantFrom(-1, -0.2, 0, 0.3, 0.9999999, 1),
    ),
    facets: seldom(facets),
    passages: seldom(fc.boolean()),
    sort: seldom(sort),
    relevance: seldom(fc.record({ minSimilarityWithoutMatch: fc.constantFrom(-0.2, 0, 0.3, 0.999, 2) })),
    allWords: seldom(
      fc.record({
        enough,
        shareMin: fc.constantFrom(0, 0.3, 0.5, 0.9, 1),
        bonus: fc.constantFrom(0, 0.3, 2),
      }),
    ),
    named: seldom(fc.record({ bonus: fc.constantFrom(0.3, 2) })),
    rated: seldom(rated),
    byQuery: seldom(fc.boolean()),
    isContextual: seldom(fc.boolean()),
    fuzzy: seldom(fc.boolean()),
    prefixLast: seldom(fc.boolean()),
    corrections: seldom(fc.boolean()),
    everyWord: seldom(fc.boolean()),
    pin: seldom(pin),
    boosts: seldom(boosts),
    raises: seldom(raises),
    synonyms: seldom(synonyms),
  })
  // The engine refuses both together.
  return mixed.map((request) => (request.allWords === undefined ? request : { ...request, byQuery: undefined }))
}

/** Makes requests like those of entry search. */
function entrySearches(dimensions: number): fc.Arbitrary<SearchRequest> {
  return fc.record({
    ...plain(dimensions),
    mode: fc.constantFrom('semantic', 'keyword', 'hybrid', 'hybrid'),
    byQuery: fc.constant(true),
    isContextual: maybe(fc.constant(true)),
    pin: rarely(pin),
    fuzzy: maybe(fc.constant(true)),
    prefixLast: maybe(fc.constant(true)),
    rated: maybe(rated),
    passages: rarely(fc.constant(true)),
    facets: rarely(facets),
    sort: rarely(sort),
  })
}

/** Makes requests like those of product search. */
function productSearches(dimensions: number): fc.Arbitrary<SearchRequest> {
  const parts = {
    ...plain(dimensions),
    fuzzy: fc.constant(true),
    allWords: fc.record({ enough, shareMin: fc.constant(0.5), bonus: fc.constant(1) }),
    named: fc.constant({ bonus: 0.4 }),
    prefixLast: rarely(fc.constant(true)),
    pin: rarely(pin),
    boosts: rarely(boosts),
    raises: rarely(raises),
    synonyms: rarely(synonyms),
    rated: rarely(rated),
    facets: maybe(facets),
    sort: rarely(sort),
  }
  return fc.oneof(
    fc.record({ ...parts, mode: fc.constant('keyword' as const) }),
    fc.record({
      ...parts,
      mode: fc.constant('hybrid' as const),
      relevance: fc.constant({ minSimilarityWithoutMatch: 0.45 }),
    }),
  )
}

/** Makes requests like those of suggestions at every key. */
function suggestions(dimensions: number): fc.Arbitrary<SearchRequest> {
  return fc.record({
    ...plain(dimensions),
    mode: fc.constant('keyword' as const),
    vector: fc.constant(null),
    explain: fc.constant(false),
    fuzzy: fc.constant(true),
    prefixLast: fc.constant(true),
    everyWord: fc.constant(true),
    corrections: fc.constant(true),
    facets: maybe(facets),
  })
}

/** Makes requests like those for similar products and related entries. */
function neighbours(dimensions: number): fc.Arbitrary<SearchRequest> {
  return fc.record({ ...plain(dimensions), mode: fc.constant('semantic' as const), query: fc.constant('') })
}

export function requests(dimensions: number): fc.Arbitrary<SearchRequest> {
  return fc.oneof(
    { weight: 3, arbitrary: mixtures(dimensions, rarely) },
    // Faults in what one option does with another would else be met once in hundreds of histories.
    { weight: 2, arbitrary: mixtures(dimensions, maybe) },
    { weight: 3, arbitrary: entrySearches(dimensions) },
    { weight: 3, arbitrary: productSearches(dimensions) },
    { weight: 1, arbitrary: suggestions(dimensions) },
    { weight: 1, arbitrary: neighbours(dimensions) },
  )
}

/** Makes requests of a few letters that are being typed, by words alone: the engine keeps their answers. */
export function shortRequests(dimensions: number): fc.Arbitrary<SearchRequest> {
  const letters = fc.constantFrom('l', 'la', 'ta', 'tab', 'red', 'r', 'st', '00', 'l t', 't r')
  const products = productSearches(dimensions).map((request) => ({
    ...request,
    mode: 'keyword' as const,
    vector: null,
    explain: false,
    prefixLast: true,
    relevance: undefined,
    boosts: undefined,
  }))
  const typing = fc.oneof({ weight: 3, arbitrary: suggestions(dimensions) }, products)
  return fc.tuple(typing, letters).map(([request, typed]) => ({ ...request, query: typed }))
}
