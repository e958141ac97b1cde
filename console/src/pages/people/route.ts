import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readWanted } from './wanted.ts'

export const peopleRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/people',
  validateSearch: readWanted,
  component: lazyPage(() => import('./page.tsx'), 'PeoplePage'),
})

export const personRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/people/$userId',
  component: lazyPage(() => import('./person-page.tsx'), 'PersonPage'),
})
