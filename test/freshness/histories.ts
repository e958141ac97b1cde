/** Makes histories: writes to entries and products of one tenant, and searches beside them. */
import * as fc from 'fast-check'
import type { OrderedVisibility } from '../../src/platform/access/visibility.ts'
import type { Condition, EntryState, ProductState } from './item-kinds.ts'

/** Words that share no beginning and have no spelling in common, so that a search takes none for another. */
const WORDS = ['lamp', 'chair', 'river', 'marble', 'engine'] as const
const CEILINGS: readonly OrderedVisibility[] = ['public', 'internal', 'restricted']
const CATEGORIES = ['Indoors', 'Outdoors'] as const
const AVAILABILITIES = ['InStock', 'OutOfStock'] as const
const PRICE_MAX = 90

/**
 * One write: a change of values of an item or its deletion (null), a new item, one price for some products, or another
 * word in the texts of all entries or products of a writer. While indexes lack more texts than they can read in the
 * wait, they answer at once.
 */
export type Write =
  | { readonly entry: number; readonly change: Partial<EntryState> | null }
  | { readonly product: number; readonly change: Partial<ProductState> | null }
  | { readonly newEntry: EntryState }
  | { readonly newProduct: ProductState }
  | { readonly reprice: number }
  | { readonly reword: string; readonly items: 'entries' | 'products' }

/** One search of both sections. */
export interface Search {
  /** Number of the process that answers. */
  readonly process: 0 | 1
  readonly ceiling: OrderedVisibility
  /** Empty for everything that passes the filters. */
  readonly query: string
  readonly entries: readonly Condition[]
  readonly products: readonly Condition[]
}

/** One write of a writer, and a search after it. */
interface Step {
  /** Number of the process that takes the write. */
  readonly process: 0 | 1
  readonly write: Write
  /** The writer's search after the write, through the other process; null for none. */
  readonly search: Search | null
}

/** Work of one writer. */
interface Writing {
  /** States in which the writer's items are created before the history begins. */
  readonly entries: readonly EntryState[]
  readonly products: readonly ProductState[]
  readonly steps: readonly Step[]
}

export interface History {
  /** Changes many texts at a time, so that indexes lack some while others write and search. */
  readonly importer: Writing
  readonly writers: readonly Writing[]
  /** Searches beside the writers, one after the other. */
  readonly searches: readonly Search[]
}

/** Sizes of a history. */
export interface Sizes {
  /** Items of each kind that the importer has, and its writes. */
  readonly imported: number
  readonly imports: number
  readonly writers: number
  /** Items of each kind that a writer has at the beginning. */
  readonly items: number
  /** Writes of each writer. */
  readonly steps: number
  /** Searches beside the writers. */
  readonly searches: number
}

/** Ids of the categories and the site that entries can be moved to. */
export interface Targets {
  readonly categories: readonly string[]
  readonly site: string
}

/** Makes histories of entries in these categories and on this site. */
export function histories(sizes: Sizes, targets: Targets): fc.Arbitrary<History> {
  const entry = entryFields(targets)
  const product = productFields()
  const newEntry = fc.record({ ...entry, isExpired: fc.constant(false) })
  const newProduct = fc.record(product)
  const { visibility, word } = entry
  const write: fc.Arbitrary<Write> = fc.oneof(
    { weight: 12, arbitrary: fc.record({ entry: fc.nat(), change: changes(entry) }) },
    { weight: 12, arbitrary: fc.record({ product: fc.nat(), change: changes(product) }) },
    { weight: 4, arbitrary: fc.record({ entry: fc.nat(), change: fc.record({ visibility, word }) }) },
    { weight: 2, arbitrary: newEntry.map((state) => ({ newEntry: { ...state, site_id: null } })) },
    { weight: 2, arbitrary: fc.record({ newProduct }) },
    { weight: 2, arbitrary: fc.record({ reprice: product.price }) },
  )
  const reword: fc.Arbitrary<Write> = fc.record({
    reword: entry.word,
    items: fc.constantFrom('entries' as const, 'products' as const),
  })
  const search = searches(targets)
  const stepOf = (each: fc.Arbitrary<Write>, after: fc.Arbitrary<Search | null>): fc.Arbitrary<Step> =>
    fc.tuple(numberOfProcess(), each, after).map(([process, write, next]) => {
      // The other process learns of the write from nothing but the search.
      return { process, write, search: next === null ? null : { ...next, process: process === 0 ? 1 : 0 } }
    })
  const writing = (items: number, length: number, each: fc.Arbitrary<Step>): fc.Arbitrary<Writing> =>
    fc.record({
      entries: exactly(items, newEntry),
      products: exactly(items, newProduct),
      steps: exactly(length, each),
    })
  return fc.record({
    importer: writing(sizes.imported, sizes.imports, stepOf(reword, fc.constant(null))),
    writers: exactly(sizes.writers, writing(sizes.items, sizes.steps, stepOf(write, search))),
    searches: exactly(sizes.searches, search),
  })
}

function exactly<T>(length: number, each: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(each, { minLength: length, maxLength: length })
}

function numberOfProcess(): fc.Arbitrary<0 | 1> {
  return fc.constantFrom(0, 1)
}

type Fields<State> = { readonly [Name in keyof State]: fc.Arbitrary<State[Name]> }

function entryFields({ categories, site }: Targets): Fields<EntryState> {
  return {
    category_id: fc.constantFrom(...categories),
    visibility: fc.constantFrom(...CEILINGS),
    site_id: fc.constantFrom(site, null),
    isExpired: fc.boolean(),
    word: fc.constantFrom(...WORDS),
  }
}

function productFields(): Fields<ProductState> {
  return {
    category: fc.constantFrom(...CATEGORIES),
    availability: fc.constantFrom(...AVAILABILITIES),
    price: fc.integer({ min: 1, max: PRICE_MAX }),
    special: fc.option(fc.integer({ min: 1, max: PRICE_MAX })),
    word: fc.constantFrom(...WORDS),
  }
}

/** Makes changes of one field, and deletions. */
function changes<State>(one: Fields<State>): fc.Arbitrary<Partial<State> | null> {
  const names = Object.keys(one) as (keyof State)[]
  return fc.oneof(
    ...names.map((name) => ({ weight: 2, arbitrary: one[name].map((value) => ({ [name]: value }) as Partial<State>) })),
    { weight: 1, arbitrary: fc.constant(null) },
  )
}

function searches({ categories, site }: Targets): fc.Arbitrary<Search> {
  const below = fc.integer({ min: 10, max: PRICE_MAX }).map((lt) => ({ field: 'price', lt }))
  const from = fc.integer({ min: 1, max: PRICE_MAX }).map((gte) => ({ field: 'price', gte }))
  return fc.record({
    process: numberOfProcess(),
    ceiling: fc.constantFrom(...CEILINGS),
    query: fc.oneof(fc.constant(''), fc.constantFrom(...WORDS)),
    entries: someOf([
      fc.constantFrom(...categories).map((id) => ({ field: 'category_id', any_of: [id] })),
      fc.subarray([...CEILINGS], { minLength: 1 }).map((any_of) => ({ field: 'visibility', any_of })),
      fc.constant({ field: 'site_id', any_of: [site] }),
    ]),
    products: someOf([
      fc.constantFrom(...CATEGORIES).map((name) => ({ field: 'category', any_of: [name] })),
      fc.constantFrom(...AVAILABILITIES).map((name) => ({ field: 'availability', any_of: [name] })),
      fc.oneof(below, from),
    ]),
  })
}

function someOf(conditions: readonly fc.Arbitrary<Condition>[]): fc.Arbitrary<Condition[]> {
  return fc.tuple(...conditions.map((each) => fc.option(each))).map((all) => all.filter((each) => each !== null))
}
