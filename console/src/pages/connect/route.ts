import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readChoices } from './choices.ts'

/** Route of the page that connects assistants and programs. */
export const connectRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/connect',
  validateSearch: readChoices,
  component: lazyPage(() => import('./page.tsx'), 'ConnectPage'),
})
