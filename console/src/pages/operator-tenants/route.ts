import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { operatorRoot } from '../operator/route.ts'
import { readAsked } from './asked.ts'

/** All tenants with their use. */
export const operatorTenantsRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/tenants',
  validateSearch: readAsked,
  component: lazyPage(() => import('./page.tsx'), 'OperatorTenantsPage'),
})
