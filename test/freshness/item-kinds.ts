/** The two kinds of items in histories, and how filters, facets and hits name their states. */
import { levelsUpTo, type OrderedVisibility } from '../../src/platform/access/visibility.ts'

/** State of an entry in a history. */
export interface EntryState {
  readonly category_id: string
  readonly visibility: OrderedVisibility
  /** The site that the entry is assigned to; null for none. */
  readonly site_id: string | null
  readonly isExpired: boolean
  /** The word that the entry is about. */
  readonly word: string
}

/** State of a product in a history. */
export interface ProductState {
  readonly category: string
  readonly availability: string
  readonly price: number
  /** The price that counts in place of `price`; null for none. */
  readonly special: number | null
  /** The word that the product is about. */
  readonly word: string
}

/** Condition of a search, as `filter` takes it. */
export interface Condition {
  readonly field: string
  readonly any_of?: readonly string[]
  readonly gte?: number
  readonly lt?: number
}

export interface Range {
  readonly from?: number
  readonly to?: number
}

/** Facet of a search, as `facets` takes it. */
export interface WantedFacet {
  readonly field: string
  readonly ranges?: readonly Range[]
}

type Value = string | number | null

/** A kind of items, as the judge of answers needs it. */
export interface ItemKind<State> {
  readonly section: 'knowledge' | 'products'
  /** Field of a hit that has the item. */
  readonly hitField: 'entry' | 'product'
  /** Field of the item that has its name. */
  readonly nameField: 'source_reference' | 'external_id'
  /** Fields of the item that a hit shows. */
  readonly fields: readonly string[]
  readonly facets: readonly WantedFacet[]
  /** Returns the values of an item by the fields of filters and facets. */
  valuesOf(state: State): Readonly<Record<string, Value>>
  /** Returns the values that a hit has to show. */
  shownOf(state: State): Readonly<Record<string, Value>>
  isVisible(state: State, ceiling: OrderedVisibility): boolean
  /** Returns what decides who may see an item. */
  audienceOf(state: State): string
}

export const ENTRIES: ItemKind<EntryState> = {
  section: 'knowledge',
  hitField: 'entry',
  nameField: 'source_reference',
  fields: ['source_reference', 'category_id', 'visibility', 'title'],
  facets: [{ field: 'category_id' }, { field: 'visibility' }, { field: 'site_id' }],
  valuesOf: ({ category_id, visibility, site_id }) => ({ category_id, visibility, site_id }),
  shownOf: ({ category_id, visibility, word }) => ({ category_id, visibility, title: titleOf(word) }),
  isVisible: ({ visibility, isExpired }, ceiling) => !isExpired && levelsUpTo(ceiling).includes(visibility),
  audienceOf: ({ visibility }) => visibility,
}

export const PRODUCTS: ItemKind<ProductState> = {
  section: 'products',
  hitField: 'product',
  nameField: 'external_id',
  fields: ['external_id', 'category', 'availability', 'price_effective', 'title'],
  facets: [
    { field: 'category' },
    { field: 'availability' },
    { field: 'price', ranges: [{ to: 30 }, { from: 30, to: 60 }, { from: 60 }] },
  ],
  valuesOf: (state) => ({ category: state.category, availability: state.availability, price: priceOf(state) }),
  shownOf: (state) => ({
    category: state.category,
    availability: state.availability,
    price_effective: String(priceOf(state)),
    title: titleOf(state.word),
  }),
  isVisible: () => true,
  audienceOf: () => 'everybody',
}

function priceOf({ price, special }: ProductState): number {
  return special ?? price
}

export function titleOf(word: string): string {
  return `The ${word}`
}

/** Tells whether a state has a value that a condition names. */
export function holds<State>(kind: ItemKind<State>, state: State, { field, any_of, gte, lt }: Condition): boolean {
  const value = kind.valuesOf(state)[field]
  if (any_of !== undefined) return any_of.includes(value as string)
  return isWithin(value, { from: gte, to: lt })
}

/** Tells whether a number is in a range, which has its lower bound and not its upper one. */
export function isWithin(value: Value, { from = -Infinity, to = Infinity }: Range): boolean {
  return typeof value === 'number' && value >= from && value < to
}
