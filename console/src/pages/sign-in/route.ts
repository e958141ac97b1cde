import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'

export const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/sign-in',
  validateSearch: (search): { return_to?: string; fault?: string; second_step?: 1 } => ({
    ...(typeof search.return_to === 'string' ? { return_to: search.return_to } : {}),
    ...(typeof search.fault === 'string' ? { fault: search.fault } : {}),
    // The router reads the 1 of the address as a number.
    ...(search.second_step === 1 ? { second_step: 1 as const } : {}),
  }),
  component: lazyPage(() => import('./page.tsx'), 'SignInPage'),
})

/** Route of the page on which a sign-in ends that began in a tab of its own, while another tab waits for it. */
export const signedInAgainRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/signed-in-again',
  component: lazyPage(() => import('./signed-in-again.tsx'), 'SignedInAgainPage'),
})
