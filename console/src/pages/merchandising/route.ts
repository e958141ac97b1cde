import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

interface OfSite {
  readonly site?: string
}

const ofSite = (search: Record<string, unknown>): OfSite =>
  typeof search.site === 'string' && search.site !== '' ? { site: search.site.slice(0, 100) } : {}

/** What people decided about a site's product search. */
export const merchandisingRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/rules',
  validateSearch: ofSite,
  component: lazyPage(() => import('./page.tsx'), 'MerchandisingPage'),
})

/** One rule, or `new`, beside a preview. */
export const ruleRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/rules/$ruleId',
  validateSearch: ofSite,
  component: lazyPage(() => import('./rule-page.tsx'), 'RulePage'),
})
