import { getRouteApi } from '@tanstack/react-router'
import type { ProductSearch } from './product-search.ts'

const route = getRouteApi('/signed-in/console/products')

type Filter = Exclude<keyof ProductSearch, 'q' | 'site' | 'sort'>

/** Reads the choices from the address, and changes them there. Each choice is a step of the browser's history. */
export function useProductSearch() {
  const productSearch = route.useSearch()
  const navigate = route.useNavigate()
  const set = (change: { readonly [K in keyof ProductSearch]?: ProductSearch[K] | null }, replace = false): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(
            ([, value]) => value !== null && value !== undefined && value !== '' && !isEmptyList(value),
          ),
        ),
      replace,
      resetScroll: false,
    })
  const { q: _query, site: _site, sort: _sort, ...filters } = productSearch
  return {
    productSearch,
    set,
    isFiltered: Object.keys(filters).length > 0,
    clear: () =>
      set({ category: null, brand: null, availability: null, min: null, max: null } satisfies Record<Filter, null>),
  }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
