import { getRouteApi } from '@tanstack/react-router'
import { type Asked, readAsked } from './asked.ts'

const route = getRouteApi('/console/operator/tenants')

/** The filters in the address. A choice is a step of the browser's history, typing is none. */
export function useFilters() {
  // The router hands on what the address has besides, also what was refused.
  const asked = readAsked({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const set = (changes: Partial<Asked>, isTyping = false): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)),
      replace: isTyping,
      resetScroll: false,
    })
  const { month: _month, ...filters } = asked
  return {
    asked,
    isFiltered: Object.keys(filters).length > 0,
    set,
    clear: (): void => set({ q: undefined, state: undefined }),
  }
}
