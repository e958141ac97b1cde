import { getRouteApi } from '@tanstack/react-router'
import { type Asked, readAsked } from './asked.ts'

const route = getRouteApi('/signed-in/console/settings/audit-trail')

/** The filters in the address, and what changes them. Each choice is a step of the browser's history. */
export function useFilters() {
  // The router hands on what the address has besides, also what was refused.
  const filters = readAsked({ ...route.useSearch() })
  const navigate = route.useNavigate()
  return {
    filters,
    isFiltered: Object.keys(filters).length > 0,
    /** Sets the named filters; undefined takes one out. */
    set: (changes: Partial<Asked>): void =>
      void navigate({
        search: (before) =>
          Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)),
        resetScroll: false,
      }),
    clear: (): void => void navigate({ search: {}, resetScroll: false }),
  }
}
