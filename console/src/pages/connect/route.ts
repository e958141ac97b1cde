import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readAsked } from './asked.ts'
import { useConnectWords } from './words.ts'

/** How assistants and programs reach the knowledge. */
export const connectRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/connect',
  validateSearch: readAsked,
  loader: useConnectWords.load,
  component: lazyPage(() => import('./page.tsx'), 'ConnectPage'),
})
