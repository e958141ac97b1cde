import { getRouteApi } from '@tanstack/react-router'
import { type TenantFilters, readFilters } from './tenant-filters.ts'

const route = getRouteApi('/console/operator/tenants')

/**
 * Reads the filters from the address, and changes them there. A choice is a step of the browser's history; typing is
 * none.
 */
export function useFilters() {
  // The router also hands on parameters of the address that were refused, so they are checked here again.
  const filters = readFilters({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const set = (changes: Partial<TenantFilters>, isTyping = false): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)),
      replace: isTyping,
      resetScroll: false,
    })
  const { month: _month, ...others } = filters
  return {
    filters,
    isFiltered: Object.keys(others).length > 0,
    set,
    clear: (): void => set({ q: undefined, state: undefined }),
  }
}
