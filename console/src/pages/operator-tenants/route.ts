import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { operatorRoot } from '../operator/route.ts'
import { readFilters } from './tenant-filters.ts'

/** Route of the page of all tenants with their use. */
export const operatorTenantsRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/tenants',
  validateSearch: readFilters,
  component: lazyPage(() => import('./page.tsx'), 'OperatorTenantsPage'),
})
