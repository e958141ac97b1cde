import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readFilters } from './filters.ts'

export const entriesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/entries',
  validateSearch: readFilters,
  component: lazyPage(() => import('./page.tsx'), 'EntriesPage'),
})
