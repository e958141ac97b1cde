import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readProductSearch } from './product-search.ts'

/** Route of the page that searches products. */
export const productsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products',
  validateSearch: readProductSearch,
  component: lazyPage(() => import('./page.tsx'), 'ProductsPage'),
})
