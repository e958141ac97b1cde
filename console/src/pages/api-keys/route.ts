import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useApiKeysWords } from './words.ts'

export const apiKeysRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/api-keys',
  loader: useApiKeysWords.load,
  component: lazyPage(() => import('./page.tsx'), 'ApiKeysPage'),
})
