import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

export const oauthClientsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/oauth-clients',
  component: lazyPage(() => import('./page.tsx'), 'OauthClientsPage'),
})
