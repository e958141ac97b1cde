import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { root } from '../../router/roots.tsx'
import { usePartsWords } from './words.ts'

/** All parts of the console in their states, for those who build pages. Nothing links here. */
export const partsRoute = createRoute({
  getParentRoute: () => root,
  path: '/console/parts',
  loader: usePartsWords.load,
  component: lazyPage(() => import('./page.tsx'), 'PartsPage'),
})
