import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readAsked } from './asked.ts'

/** Who did what, and when. */
export const auditTrailRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/audit-trail',
  validateSearch: readAsked,
  component: lazyPage(() => import('./page.tsx'), 'AuditTrailPage'),
})
