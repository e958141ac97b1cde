import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readFilters } from './audit-filters.ts'

/** Route of the page that shows who did what, and when. */
export const auditTrailRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/audit-trail',
  validateSearch: readFilters,
  component: lazyPage(() => import('./page.tsx'), 'AuditTrailPage'),
})
