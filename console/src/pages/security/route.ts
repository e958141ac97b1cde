import { createRoute, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session.ts'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'

/** Route of the page on which a person who needs a second factor sets one up, before anything else. */
export const setUpFactorRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/set-up-factor',
  validateSearch: (search): { return_to?: string } =>
    typeof search.return_to === 'string' ? { return_to: search.return_to } : {},
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session === null) {
      throw redirect({ to: '/console/sign-in', search: { return_to: location.href }, replace: true })
    }
  },
  component: lazyPage(() => import('./set-up.tsx'), 'SetUpPage'),
})
