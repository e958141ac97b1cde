import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { Broken, root } from '../../router/roots.tsx'

/** Parent of the operator's pages. They need no session: who has no credential is asked for it first. */
export const operatorRoot = createRoute({
  getParentRoute: () => root,
  path: '/console/operator',
  component: lazyPage(() => import('./frame.tsx'), 'OperatorFrame'),
  errorComponent: Broken,
})

/** The operator's pages begin with the organisations. */
export const operatorHomeRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/console/operator/tenants', replace: true })
  },
})
