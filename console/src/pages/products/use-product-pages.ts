import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import type { Asked } from './asked.ts'
import { askProducts, type Facet, PAGE, type Row } from './queries.ts'

const NO_FACETS: readonly Facet[] = []

/** The pages of a list of products, with the counts of the newest answer. */
export function useProductPages(asked: Asked) {
  const pages = useCursorPages<Row>({
    key: ['products', 'browse', asked],
    pageSize: PAGE,
    ask: (cursor, signal) => askProducts(asked, cursor, signal),
  })
  const answered = pages.query.data as { readonly facets?: readonly Facet[] } | undefined
  return { ...pages, facets: answered?.facets ?? NO_FACETS }
}

export type ProductPages = ReturnType<typeof useProductPages>
