import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'

/** The page of an application's request. It checks itself whether somebody is signed in. */
export const consentRoute = createRoute({
  getParentRoute: () => root,
  path: '/oauth/interaction/$uid',
  component: lazyPage(() => import('./page.tsx'), 'ConsentPage'),
})
