import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

interface CategoriesSearch {
  /** Id of the chosen category. */
  readonly category?: string
  /** What names are looked through for. */
  readonly find?: string
}

/** The tree of categories: where every entry has its place. */
export const categoriesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/categories',
  validateSearch: (asked: Readonly<Record<string, unknown>>): CategoriesSearch => ({
    ...(typeof asked.category === 'string' ? { category: asked.category } : {}),
    ...(typeof asked.find === 'string' && asked.find !== '' ? { find: asked.find } : {}),
  }),
  component: lazyPage(() => import('./page.tsx'), 'CategoriesPage'),
})
