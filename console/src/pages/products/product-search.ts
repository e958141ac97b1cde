/** Choices in the address of the list. */
export interface ProductSearch {
  readonly site?: string
  readonly q?: string
  readonly category?: string
  readonly brand?: readonly string[]
  readonly availability?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly sort?: SortName
}

export const SORTS = ['price', 'price-desc', 'title', 'updated-desc'] as const
export type SortName = (typeof SORTS)[number]

const TEXT_MAX = 1_000
const CHOSEN_MAX = 100

/**
 * Reads the choices of an address. Leaves out values that make no sense, so that a broken link still shows products.
 */
export function readProductSearch(search: Record<string, unknown>): ProductSearch {
  const q = textOf(search.q).slice(0, TEXT_MAX)
  const [site, category] = [textOf(search.site), textOf(search.category)]
  const [brand, availability] = [listOf(search.brand), listOf(search.availability)]
  const [min, max] = [priceOf(search.min), priceOf(search.max)]
  const sort = SORTS.find((each) => each === search.sort)
  return {
    ...(site === '' ? {} : { site: site.slice(0, TEXT_MAX) }),
    ...(q.trim() === '' ? {} : { q }),
    ...(category === '' ? {} : { category: category.slice(0, TEXT_MAX) }),
    ...(brand.length === 0 ? {} : { brand }),
    ...(availability.length === 0 ? {} : { availability }),
    ...(min === null ? {} : { min }),
    ...(max === null ? {} : { max }),
    ...(sort === undefined ? {} : { sort }),
  }
}

/** Returns a parameter as text. The router reads `q=2026` as a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function listOf(value: unknown): readonly string[] {
  const all = Array.isArray(value) ? value.map(textOf) : [textOf(value)]
  return [...new Set(all.filter((each) => each !== ''))].slice(0, CHOSEN_MAX)
}

function priceOf(value: unknown): number | null {
  const price = typeof value === 'number' ? value : Number.NaN
  return Number.isFinite(price) && price >= 0 ? price : null
}
