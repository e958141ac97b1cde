import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { readAsked } from './asked.ts'

/** Search that explains itself, for administrators. */
export const laboratoryRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/laboratory',
  validateSearch: readAsked,
  component: lazyPage(() => import('./page.tsx'), 'LaboratoryPage'),
})
