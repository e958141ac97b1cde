import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** The sets of judged queries. */
export const judgedSetsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/judged-sets',
  component: lazyPage(() => import('./page.tsx'), 'JudgedSetsPage'),
})
