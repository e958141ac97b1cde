import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useVersionsWords } from './words.ts'

type Shown = 'now' | 'before' | 'text'

/** The chosen version, and what it is compared with. */
function readShown(search: Record<string, unknown>): { readonly version?: number; readonly show?: Shown } {
  const version = Number(search.version)
  const { show } = search
  return {
    ...(Number.isSafeInteger(version) && version > 0 ? { version } : {}),
    ...(show === 'before' || show === 'text' ? { show } : {}),
  }
}

export const versionsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/entries/$entryId/versions',
  validateSearch: readShown,
  loader: useVersionsWords.load,
  component: lazyPage(() => import('./page.tsx'), 'VersionsPage'),
})
