import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readChoices } from './choices.ts'

/** Route of the page that shows what people search for, find and click. */
export const insightsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/insights',
  validateSearch: readChoices,
  component: lazyPage(() => import('./page.tsx'), 'InsightsPage'),
})
