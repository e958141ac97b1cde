import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the settings of the whole organisation. */
export const settingsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings',
  component: lazyPage(() => import('./page.tsx'), 'SettingsPage'),
})
