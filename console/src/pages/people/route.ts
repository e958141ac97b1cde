import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readPeopleSearch } from './people-search.ts'

export const peopleRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/people',
  validateSearch: readPeopleSearch,
  component: lazyPage(() => import('./page.tsx'), 'PeoplePage'),
})

export const personRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/people/$userId',
  component: lazyPage(() => import('./person-page.tsx'), 'PersonPage'),
})
