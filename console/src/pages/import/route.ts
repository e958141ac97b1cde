import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/**
 * Route of the page that imports files and folders as entries, and feeds as products, as `knowledge import` and
 * `import-products` do.
 */
export const importRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/import',
  validateSearch: (search): { what?: 'products' } => (search.what === 'products' ? { what: 'products' } : {}),
  component: lazyPage(() => import('./page.tsx'), 'ImportPage'),
})
