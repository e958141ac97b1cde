import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readAsked } from './asked.ts'
import { useLaboratoryWords } from './words.ts'

/** Search that explains itself, for administrators. */
export const laboratoryRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/laboratory',
  validateSearch: readAsked,
  loader: useLaboratoryWords.load,
  component: lazyPage(() => import('./page.tsx'), 'LaboratoryPage'),
})
