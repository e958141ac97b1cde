import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useBinWords } from './words.ts'

export const binRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/bin',
  loader: useBinWords.load,
  component: lazyPage(() => import('./page.tsx'), 'BinPage'),
})
