import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { operatorRoot } from '../operator/route.ts'

/** Route of the page with the state of the installation. */
export const operatorStatusRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/status',
  component: lazyPage(() => import('./page.tsx'), 'OperatorStatusPage'),
})
