import { getRouteApi } from '@tanstack/react-router'
import type { Asked } from './asked.ts'

const route = getRouteApi('/signed-in/console/products')

type Filter = Exclude<keyof Asked, 'q' | 'site' | 'sort'>

/** What the address asks, and what changes it. Each choice is a step of the browser's history. */
export function useAsked() {
  const asked = route.useSearch()
  const navigate = route.useNavigate()
  const set = (change: { readonly [K in keyof Asked]?: Asked[K] | null }, replace = false): void =>
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
  const { q: _query, site: _site, sort: _sort, ...filters } = asked
  return {
    asked,
    set,
    isFiltered: Object.keys(filters).length > 0,
    clear: () =>
      set({ category: null, brand: null, availability: null, min: null, max: null } satisfies Record<Filter, null>),
  }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
