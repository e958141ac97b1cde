import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

type Shown = 'now' | 'before' | 'text'

/** Reads the chosen version, and the one that it is compared with. */
function readShown(search: Record<string, unknown>): { readonly version?: number; readonly show?: Shown } {
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
  validateSearch: readShown,
  component: lazyPage(() => import('./page.tsx'), 'VersionsPage'),
})
