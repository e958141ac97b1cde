import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** How the service is for the organisation. */
export const systemRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/system',
  component: lazyPage(() => import('./page.tsx'), 'SystemPage'),
})
