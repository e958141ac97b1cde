import { getRouteApi } from '@tanstack/react-router'
import type { EntrySearch } from './entry-search.ts'

const route = getRouteApi('/signed-in/console')

export type Filter = Exclude<keyof EntrySearch, 'q'>

/** Reads the filters from the address, and changes them there. Each choice is a step of the browser's history. */
export function useFilters() {
  const { q: _query, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: Filter, value: string | null): void =>
    void navigate({
      search: ({ [name]: _before, ...rest }) => (value === null ? rest : { ...rest, [name]: value }),
      resetScroll: false,
    })
  return {
    filters,
    isFiltered: Object.keys(filters).length > 0,
    set,
    clear: (): void => void navigate({ search: ({ q }) => (q === undefined ? {} : { q }), resetScroll: false }),
  }
}
