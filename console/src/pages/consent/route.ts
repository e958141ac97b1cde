import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'

/** Route of the page of an application's request. The page itself checks whether a person is signed in. */
export const consentRoute = createRoute({
  getParentRoute: () => root,
  path: '/oauth/interaction/$uid',
  component: lazyPage(() => import('./page.tsx'), 'ConsentPage'),
})
