import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useOauthWords } from './words.ts'

export const oauthClientsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/oauth-clients',
  loader: useOauthWords.load,
  component: lazyPage(() => import('./page.tsx'), 'OauthClientsPage'),
})
