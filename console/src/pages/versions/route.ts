import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

type Comparison = 'now' | 'before' | 'text'

/** Reads the chosen version, and the one that it is compared with. */
function readComparison(search: Record<string, unknown>): { readonly version?: number; readonly show?: Comparison } {
  const version = Number(search.version)
  const { show } = search
  return {
    // Set to undefined instead of left out: the router would add the unchecked parameters of the address otherwise.
    version: Number.isSafeInteger(version) && version > 0 ? version : undefined,
    show: show === 'before' || show === 'text' ? show : undefined,
  }
}

export const versionsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/entries/$entryId/versions',
  validateSearch: readComparison,
  component: lazyPage(() => import('./page.tsx'), 'VersionsPage'),
})
