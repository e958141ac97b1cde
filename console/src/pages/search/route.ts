import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readSearch } from './entry-search.ts'

/** Route of the first page, which searches all entries that the person may see. */
export const searchRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console',
  validateSearch: readSearch,
  component: lazyPage(() => import('./page.tsx'), 'SearchPage'),
})
