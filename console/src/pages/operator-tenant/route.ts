import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { operatorRoot } from '../operator/route.ts'
import { useSettingsWords } from '../settings/words.ts'

const TABS = ['usage', 'settings'] as const

/** One tenant: its state, its use and its settings. */
export const operatorTenantRoute = createRoute({
  getParentRoute: () => operatorRoot,
  path: '/tenants/$tenantId',
  validateSearch: ({ tab }: Record<string, unknown>): { readonly tab?: (typeof TABS)[number] } =>
    tab === 'settings' ? { tab } : {},
  loader: useSettingsWords.load,
  component: lazyPage(() => import('./page.tsx'), 'OperatorTenantPage'),
})
