import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'

/** Route of the page with all parts of the console in their states, for people who build pages. No page links to it. */
export const partsRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/parts',
  component: lazyPage(() => import('./page.tsx'), 'PartsPage'),
})
