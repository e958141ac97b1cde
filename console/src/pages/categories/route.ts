import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

interface CategoriesSearch {
  /** Id of the chosen category. */
  readonly category?: string
  /** Text to search the names for. */
  readonly find?: string
}

/** Route of the page with the tree of categories. */
export const categoriesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/categories',
  validateSearch: (search: Readonly<Record<string, unknown>>): CategoriesSearch => ({
    ...(typeof search.category === 'string' ? { category: search.category } : {}),
    ...(typeof search.find === 'string' && search.find !== '' ? { find: search.find } : {}),
  }),
  component: lazyPage(() => import('./page.tsx'), 'CategoriesPage'),
})
