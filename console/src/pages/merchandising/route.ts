import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

interface RulesSearch {
  readonly site?: string
}

const readRulesSearch = (search: Record<string, unknown>): RulesSearch =>
  typeof search.site === 'string' && search.site !== '' ? { site: search.site.slice(0, 100) } : {}

/** Route of the page with the merchandising rules of a site. */
export const merchandisingRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/rules',
  validateSearch: readRulesSearch,
  component: lazyPage(() => import('./page.tsx'), 'MerchandisingPage'),
})

/** Route of the page of one rule, or of a new one with the id `new`, beside a preview. */
export const ruleRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/rules/$ruleId',
  validateSearch: readRulesSearch,
  component: lazyPage(() => import('./rule-page.tsx'), 'RulePage'),
})
