import { createRoute } from '@tanstack/react-router'
import { isUuid } from '../../parts/uuid.ts'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { useEditorWords } from './words.ts'

const TITLE_MAX = 500

/** What a new entry begins with, for pages that lead here. */
function readNew(search: Record<string, unknown>): { readonly category?: string; readonly title?: string } {
  const { category, title } = search
  return {
    // Undefined, and not left out: the router adds what an address has beyond that.
    category: isUuid(category) ? category : undefined,
    title: ['string', 'number'].includes(typeof title) ? String(title).slice(0, TITLE_MAX) : undefined,
  }
}

export const newEntryRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/entries/new',
  validateSearch: readNew,
  loader: useEditorWords.load,
  component: lazyPage(() => import('./page.tsx'), 'NewEntryPage'),
})

export const editEntryRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/entries/$entryId/edit',
  loader: useEditorWords.load,
  component: lazyPage(() => import('./page.tsx'), 'EditEntryPage'),
})
