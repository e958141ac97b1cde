import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the page with the pushes of products to a site. */
export const syncsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/syncs',
  validateSearch: (search: Record<string, unknown>): { site?: string } =>
    typeof search.site === 'string' && search.site !== '' ? { site: search.site.slice(0, 100) } : {},
  component: lazyPage(() => import('./page.tsx'), 'SyncsPage'),
})
