import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../router/lazy-page.ts'
import { signedIn } from '../../router/roots.tsx'
import { isUuid } from '../../router/uuid.ts'

/** Ids of the two runs that are compared; by default the newest and the one before. */
interface RunPair {
  readonly from?: string
  readonly to?: string
}

function readRunPair(search: Record<string, unknown>): RunPair {
  const idOf = (name: 'from' | 'to'): RunPair => {
    const value = search[name]
    return isUuid(value) ? { [name]: value } : {}
  }
  return { ...idOf('from'), ...idOf('to') }
}

/** Route of the page of one judged set: its runs over time, its searches. */
export const judgedSetRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/judged-sets/$setId',
  validateSearch: readRunPair,
  component: lazyPage(() => import('./page.tsx'), 'JudgedSetPage'),
})
