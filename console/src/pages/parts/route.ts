import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'

/** All parts of the console in their states, for those who build pages. Nothing links here. */
export const partsRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/parts',
  component: lazyPage(() => import('./page.tsx'), 'PartsPage'),
})
