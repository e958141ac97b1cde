import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useImportWords } from './words.ts'

/** Files and folders become entries, as `knowledge import` makes them. */
export const importRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/import',
  loader: useImportWords.load,
  component: lazyPage(() => import('./page.tsx'), 'ImportPage'),
})
