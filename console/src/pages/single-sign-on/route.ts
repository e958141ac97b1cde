import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the page that sets how people sign in with the company account, and what they may do then. */
export const singleSignOnRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/single-sign-on',
  component: lazyPage(() => import('./page.tsx'), 'SingleSignOnPage'),
})
