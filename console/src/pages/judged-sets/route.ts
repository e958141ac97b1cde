import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the page with all judged sets. */
export const judgedSetsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/judged-sets',
  component: lazyPage(() => import('./page.tsx'), 'JudgedSetsPage'),
})
