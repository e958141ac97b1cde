import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { operatorRoot } from '../operator/route.ts'

/** Tabs of the page; the first is shown when the address names none. */
const TABS = ['usage', 'quotas', 'settings'] as const
export type TenantTab = (typeof TABS)[number]

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
