import { getRouteApi } from '@tanstack/react-router'
import { type AuditFilters, readFilters } from './audit-filters.ts'

const route = getRouteApi('/signed-in/console/settings/audit-trail')

/** Reads the filters from the address, and changes them there. Each choice is a step of the browser's history. */
export function useFilters() {
  // The router also hands on parameters of the address that were refused, so they are checked here again.
  const filters = readFilters({ ...route.useSearch() })
  const navigate = route.useNavigate()
  return {
    filters,
    isFiltered: Object.keys(filters).length > 0,
    /** Sets the named filters; undefined removes a filter. */
    set: (changes: Partial<AuditFilters>): void =>
      void navigate({
        search: (before) =>
          Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)),
        resetScroll: false,
      }),
    clear: (): void => void navigate({ search: {}, resetScroll: false }),
  }
}
