import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Route of the page with synonyms and stop words of product search. */
export const searchWordsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/words',
  component: lazyPage(() => import('./page.tsx'), 'SearchWordsPage'),
})
