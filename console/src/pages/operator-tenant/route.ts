import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { operatorRoot } from '../operator/route.ts'
import { TABS, type TenantTab } from './tabs.ts'

/** Route of the page of one tenant. */
export const operatorTenantRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/tenants/$tenantId',
  validateSearch: ({ tab }: Record<string, unknown>): { readonly tab?: TenantTab } => {
    const chosen = TABS.slice(1).find((each) => each === tab)
    return chosen === undefined ? {} : { tab: chosen }
  },
  component: lazyPage(() => import('./page.tsx'), 'OperatorTenantPage'),
})
