import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

export const apiKeysRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/api-keys',
  component: lazyPage(() => import('./page.tsx'), 'ApiKeysPage'),
})
