import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readAsked } from './asked.ts'

/** The products of a site, to look through. */
export const productsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products',
  validateSearch: readAsked,
  component: lazyPage(() => import('./page.tsx'), 'ProductsPage'),
})
