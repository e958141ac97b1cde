import { randomSource } from '../support/random.ts'

/** Fields that a filter may name. Each field leaves the same share of the entries whatever its value. */
export type FilterField = 'half' | 'layer' | 'category' | 'tenant'

export interface Filter {
  readonly field: FilterField
  readonly value: number
}

/** Percent of the entries that a filter leaves; 100 is no filter. */
export const FILTER_SHARES = [100, 50, 10, 1] as const
export type FilterShare = (typeof FILTER_SHARES)[number]

/** A search, the same for each engine. */
export interface Question {
  readonly words: string
  readonly filter: Filter | null
}

export interface Entry {
  readonly title: string
  readonly content: string
  readonly language: string
}

/** Entries with one vector each, the words to search them by, and how entries and words were made. */
export interface Collection {
  readonly name: 'drawn' | 'passages'
  readonly dimensions: number
  readonly entries: readonly Entry[]
  /** The vector of an entry, of length 1. */
  readonly vectorOf: (entry: number) => Float32Array
  readonly queries: readonly string[]
  /** Words that stand in this order in the entry of that number. */
  readonly phrases: readonly { readonly words: string; readonly entry: number }[]
  readonly queryVector: (words: string) => Float32Array
  /** File of the server that looks vectors up; null if every engine embeds by the built-in model. */
  readonly vectorFile: string | null
}

/** Returns the fields of an entry by numbers that no subject and no document share with a filter. */
export function fieldsOf(entry: number, tenants = 1): Readonly<Record<FilterField, number>> {
  return {
    half: Math.floor(entry / 1_000) % 2,
    layer: Math.floor(entry / 100) % 10,
    category: entry % 100,
    tenant: entry % tenants,
  }
}

/**
 * Returns a filter with a random value for each query: no engine can keep one answer, and none meets the worst order
 * for its caches.
 */
export function filterOf(share: FilterShare, query: number): Filter | null {
  const drawn = Math.floor(randomSource(query)() * 100)
  if (share === 50) return { field: 'half', value: drawn % 2 }
  if (share === 10) return { field: 'layer', value: drawn % 10 }
  return share === 1 ? { field: 'category', value: drawn } : null
}

/** Returns a filter that leaves the entry. */
export function keeping(share: FilterShare, entry: number): Filter | null {
  const filter = filterOf(share, entry)
  return filter === null ? null : { ...filter, value: fieldsOf(entry)[filter.field] }
}

/** Tells whether the filter leaves the entry. */
export function passes(filter: Filter | null, entry: number, tenants: number): boolean {
  return filter === null || fieldsOf(entry, tenants)[filter.field] === filter.value
}
