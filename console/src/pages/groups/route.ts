import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** What is chosen, and what names are looked through for. */
interface GroupsSearch {
  readonly id?: string
  readonly find?: string
}

const validateSearch = (asked: Readonly<Record<string, unknown>>): GroupsSearch => ({
  ...(typeof asked.id === 'string' ? { id: asked.id } : {}),
  ...(typeof asked.find === 'string' && asked.find !== '' ? { find: asked.find } : {}),
})

const shared = { getParentRoute: () => signedIn, validateSearch } as const

/** Entries gathered for a purpose. */
export const projectsRoute = createRoute({
  ...shared,
  path: '/console/projects',
  component: lazyPage(() => import('./pages.tsx'), 'ProjectsPage'),
})

/** Who sees the entries of a workspace. */
export const workspacesRoute = createRoute({
  ...shared,
  path: '/console/workspaces',
  component: lazyPage(() => import('./pages.tsx'), 'WorkspacesPage'),
})

/** Which entries the visitors of a site find. */
export const shownOnSitesRoute = createRoute({
  ...shared,
  path: '/console/site-entries',
  component: lazyPage(() => import('./pages.tsx'), 'ShownOnSitesPage'),
})
