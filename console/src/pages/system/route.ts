import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useSystemWords } from './words.ts'

/** How the service is for the organisation. */
export const systemRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/system',
  loader: useSystemWords.load,
  component: lazyPage(() => import('./page.tsx'), 'SystemPage'),
})
