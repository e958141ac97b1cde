import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the page of one product. Its address stays the same, so people may keep and send it. */
export const productRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/$productId',
  component: lazyPage(() => import('./page.tsx'), 'ProductPage'),
})
