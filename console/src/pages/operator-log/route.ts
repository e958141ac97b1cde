import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { operatorRoot } from '../operator/route.ts'

/** Route of the page with the actions of operators. */
export const operatorLogRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/log',
  component: lazyPage(() => import('./page.tsx'), 'OperatorLogPage'),
})
