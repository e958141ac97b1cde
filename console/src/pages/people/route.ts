import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readWanted } from './wanted.ts'
import { usePeopleWords } from './words.ts'

export const peopleRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/people',
  validateSearch: readWanted,
  loader: usePeopleWords.load,
  component: lazyPage(() => import('./page.tsx'), 'PeoplePage'),
})

export const personRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/people/$userId',
  loader: usePeopleWords.load,
  component: lazyPage(() => import('./person-page.tsx'), 'PersonPage'),
})
