import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the person's own account; each part has its address. */
export const profileRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/profile',
  validateSearch: (search): { part?: 'security' | 'sessions' } =>
    search.part === 'security' || search.part === 'sessions' ? { part: search.part } : {},
  component: lazyPage(() => import('./page.tsx'), 'ProfilePage'),
})

/** Route of the address that the part about security had before there were other parts. */
export const securityRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/security',
  beforeLoad: () => {
    throw redirect({ to: '/console/profile', search: { part: 'security' }, replace: true })
  },
})
