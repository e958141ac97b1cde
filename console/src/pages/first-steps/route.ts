import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { isStep, type Step } from './step-names.ts'

interface FirstStepsSearch {
  /** Open step; absent for the first step that is not done. */
  readonly step?: Step
}

/** Route of the page with an administrator's first steps. */
export const firstStepsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/first-steps',
  validateSearch: ({ step }: Readonly<Record<string, unknown>>): FirstStepsSearch => (isStep(step) ? { step } : {}),
  component: lazyPage(() => import('./page.tsx'), 'FirstStepsPage'),
})
