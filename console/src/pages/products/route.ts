import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readAsked } from './asked.ts'
import { useProductsWords } from './words.ts'

/** The products of a site, to look through. */
export const productsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products',
  validateSearch: readAsked,
  loader: useProductsWords.load,
  component: lazyPage(() => import('./page.tsx'), 'ProductsPage'),
})
