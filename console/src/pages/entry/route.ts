import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the page of one entry. Its address stays the same, so people may keep and send it. */
export const entryRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/entries/$entryId',
  component: lazyPage(() => import('./page.tsx'), 'EntryPage'),
})
