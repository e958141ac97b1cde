import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useProductWords } from './words.ts'

/** One product. Its address stays the same, so people may keep and send it. */
export const productRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/$productId',
  loader: useProductWords.load,
  component: lazyPage(() => import('./page.tsx'), 'ProductPage'),
})
