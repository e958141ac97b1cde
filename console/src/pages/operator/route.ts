import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { Broken, root } from '../../router/roots.tsx'

/** Parent of the operator's pages. They need no session; without a credential they ask for one first. */
export const operatorRoot = createRoute({
  getParentRoute: () => root,
  path: '/console/operator',
  component: lazyPage(() => import('./frame.tsx'), 'OperatorFrame'),
  errorComponent: Broken,
})

/** Route of the first address of the operator's pages, which leads to the organisations. */
export const operatorHomeRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/console/operator/tenants', replace: true })
  },
})
