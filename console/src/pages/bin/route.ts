import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

export const binRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/bin',
  component: lazyPage(() => import('./page.tsx'), 'BinPage'),
})
