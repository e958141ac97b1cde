import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { FileGone, reloadOnce } from '../api/lazy-file.ts'
import { sessionQuery, type Session } from '../api/session.ts'
import { Frame } from '../frame/frame.tsx'
import { Narrow } from '../frame/narrow.tsx'
import { NotFound } from '../frame/not-found.tsx'
import { Failure } from '../parts/feedback/query-view.tsx'

/** Context that every route gets. */
interface RouteContext {
  readonly queries: QueryClient
}

/** Parent of the pages without the frame: sign-in, consent. */
export const root = createRootRouteWithContext<RouteContext>()({
  component: Outlet,
  errorComponent: BrokenAlone,
  notFoundComponent: () => (
    <Narrow>
      <NotFound />
    </Narrow>
  ),
})

/** Parent of every page that needs a signed-in person; it gives them the frame. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session === null) {
      throw redirect({ to: '/console/sign-in', search: { return_to: location.href }, replace: true })
    }
    if (session.second_factor === 'set_up') {
      throw redirect({ to: '/console/set-up-factor', search: { return_to: location.href }, replace: true })
    }
    return { session }
  },
  component: Frame,
  errorComponent: BrokenAlone,
})

/** Shows the failure of a page, within the frame. */
export function Broken({ error }: { readonly error: unknown }) {
  const router = useRouter()
  useEffect(() => {
    if (error instanceof FileGone) reloadOnce()
  }, [error])
  return <Failure error={error} onRetry={() => void router.invalidate()} />
}

function BrokenAlone({ error }: { readonly error: unknown }) {
  return (
    <Narrow>
      <Broken error={error} />
    </Narrow>
  )
}
