import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useSearchWordsWords } from './words.ts'

/** Synonyms and stop words of product search. */
export const searchWordsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/products/words',
  loader: useSearchWordsWords.load,
  component: lazyPage(() => import('./page.tsx'), 'SearchWordsPage'),
})
