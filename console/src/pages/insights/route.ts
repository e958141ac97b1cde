import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readAsked } from './asked.ts'

/** What people search for, find and click. */
export const insightsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/insights',
  validateSearch: readAsked,
  component: lazyPage(() => import('./page.tsx'), 'InsightsPage'),
})
