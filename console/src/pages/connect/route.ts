import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readAsked } from './asked.ts'

/** How assistants and programs reach the knowledge. */
export const connectRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/connect',
  validateSearch: readAsked,
  component: lazyPage(() => import('./page.tsx'), 'ConnectPage'),
})
