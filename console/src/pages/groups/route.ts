import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'

/** Id of the chosen group, and the text to search the names for. */
interface GroupsSearch {
  readonly id?: string
  readonly find?: string
}

const validateSearch = (search: Readonly<Record<string, unknown>>): GroupsSearch => ({
  ...(typeof search.id === 'string' ? { id: search.id } : {}),
  ...(typeof search.find === 'string' && search.find !== '' ? { find: search.find } : {}),
})

const shared = { getParentRoute: () => signedIn, validateSearch } as const

/** Route of the page of projects: entries gathered for a purpose. */
export const projectsRoute = createRoute({
  ...shared,
  path: '/console/projects',
  component: lazyPage(() => import('./pages.tsx'), 'ProjectsPage'),
})

/** Route of the page of workspaces, whose entries only their members see. */
export const workspacesRoute = createRoute({
  ...shared,
  path: '/console/workspaces',
  component: lazyPage(() => import('./pages.tsx'), 'WorkspacesPage'),
})

/** Route of the page that sets which entries the visitors of a site find. */
export const shownOnSitesRoute = createRoute({
  ...shared,
  path: '/console/site-entries',
  component: lazyPage(() => import('./pages.tsx'), 'ShownOnSitesPage'),
})
