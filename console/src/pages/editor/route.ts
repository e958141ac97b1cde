import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { isUuid } from '../../router/uuid.ts'

const TITLE_MAX = 500

/** First values of a new entry, from pages that lead here. */
export interface NewEntryStart {
  readonly category?: string
  readonly title?: string
}

function readNew(search: Record<string, unknown>): NewEntryStart {
  const { category, title } = search
  return {
    // Set to undefined instead of left out: the router would add the unchecked parameters of the address otherwise.
    category: isUuid(category) ? category : undefined,
    title: ['string', 'number'].includes(typeof title) ? String(title).slice(0, TITLE_MAX) : undefined,
  }
}

/** Parent of both addresses of the editor, so that the page stays when a new entry gets its own address. */
const editor = createRoute({
  getParentRoute: () => signedIn,
  id: 'editor',
  component: lazyPage(() => import('./page.tsx'), 'EditorPage'),
})

const newEntryRoute = createRoute({
  getParentRoute: () => editor,
  path: '/console/entries/new',
  validateSearch: readNew,
})

const editEntryRoute = createRoute({
  getParentRoute: () => editor,
  path: '/console/entries/$entryId/edit',
})

export const editorRoute = editor.addChildren([newEntryRoute, editEntryRoute])
