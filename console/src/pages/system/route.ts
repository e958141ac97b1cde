import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the page with the state of the service for the organisation. */
export const systemRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/system',
  component: lazyPage(() => import('./page.tsx'), 'SystemPage'),
})
