import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readNewEntryStart } from './new-entry-start.ts'

/** Parent of both addresses of the editor, so that the page stays when a new entry gets its own address. */
const editor = createRoute({
  getParentRoute: () => signedIn,
  id: 'editor',
  component: lazyPage(() => import('./page.tsx'), 'EditorPage'),
})

const newEntryRoute = createRoute({
  getParentRoute: () => editor,
  path: '/console/entries/new',
  validateSearch: readNewEntryStart,
})

const editEntryRoute = createRoute({
  getParentRoute: () => editor,
  path: '/console/entries/$entryId/edit',
})

export const editorRoute = editor.addChildren([newEntryRoute, editEntryRoute])
