import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useSettingsWords } from './words.ts'

/** What holds for the whole organisation. */
export const settingsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings',
  loader: useSettingsWords.load,
  component: lazyPage(() => import('./page.tsx'), 'SettingsPage'),
})
