import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'

/** Route of the page that a link for a new password leads to; its token stands behind the #. */
export const newPasswordRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/new-password',
  component: lazyPage(() => import('./page.tsx'), 'NewPasswordPage'),
})

/** Route of the page that asks for such a link by mail. */
export const forgottenPasswordRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/forgotten-password',
  component: lazyPage(() => import('./forgotten.tsx'), 'ForgottenPasswordPage'),
})
