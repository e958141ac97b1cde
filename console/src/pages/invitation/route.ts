import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'

/** Route of the page that the link of an invitation leads to; its token stands behind the #. */
export const invitationRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/invitation',
  component: lazyPage(() => import('./page.tsx'), 'InvitationPage'),
})
