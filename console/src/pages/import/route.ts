import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Files and folders become entries, and feeds products, as `knowledge import` and `import-products` make them. */
export const importRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/import',
  validateSearch: (search): { what?: 'products' } => (search.what === 'products' ? { what: 'products' } : {}),
  component: lazyPage(() => import('./page.tsx'), 'ImportPage'),
})
