import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { operatorRoot } from '../operator/route.ts'

/** What operators did. */
export const operatorLogRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/log',
  component: lazyPage(() => import('./page.tsx'), 'OperatorLogPage'),
})
