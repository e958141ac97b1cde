import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useImportWords } from './words.ts'

/** Files and folders become entries, and feeds products, as `knowledge import` and `import-products` make them. */
export const importRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/import',
  validateSearch: (search): { what?: 'products' } => (search.what === 'products' ? { what: 'products' } : {}),
  loader: useImportWords.load,
  component: lazyPage(() => import('./page.tsx'), 'ImportPage'),
})
