import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readLabSearch } from './lab-search.ts'

/** Route of the search that explains itself, for administrators. */
export const laboratoryRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/laboratory',
  validateSearch: readLabSearch,
  component: lazyPage(() => import('./page.tsx'), 'LaboratoryPage'),
})
