import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useSettingsWords } from '../settings/words.ts'
import { readAsked } from './asked.ts'
import { useAuditWords } from './words.ts'

/** Who did what, and when. */
export const auditTrailRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/audit-trail',
  validateSearch: readAsked,
  // Changes of settings are told in the words of the settings.
  loader: () => Promise.all([useAuditWords.load(), useSettingsWords.load()]).then(() => undefined),
  component: lazyPage(() => import('./page.tsx'), 'AuditTrailPage'),
})
