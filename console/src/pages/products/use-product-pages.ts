import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import type { ProductSearch } from './product-search.ts'
import { askProducts, type Facet, PAGE, type Row } from './queries.ts'

const NO_FACETS: readonly Facet[] = []

/** Turns the pages of a list of products, with the counts of the newest answer. */
export function useProductPages(productSearch: ProductSearch) {
  const pages = useCursorPages<Row>({
    key: ['products', 'browse', productSearch],
    pageSize: PAGE,
    ask: (cursor, signal) => askProducts(productSearch, cursor, signal),
  })
  const newestPage = pages.query.data as { readonly facets?: readonly Facet[] } | undefined
  return { ...pages, facets: newestPage?.facets ?? NO_FACETS }
}

export type ProductPages = ReturnType<typeof useProductPages>
