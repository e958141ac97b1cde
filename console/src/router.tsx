import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router'
import { sessionQuery, type Session } from './api/session.ts'
import { Frame } from './frame/frame.tsx'
import { Narrow } from './frame/narrow.tsx'
import { NotFound } from './frame/not-found.tsx'
import { Failure } from './parts/loaded.tsx'
import { HOME } from './parts/return-path.ts'
import { SignInPage } from './pages/sign-in/page.tsx'

/** What every route gets. */
interface RouteContext {
  readonly queries: QueryClient
}

const SIGN_IN = '/console/sign-in'
const SET_UP_FACTOR = '/console/set-up-factor'

const root = createRootRouteWithContext<RouteContext>()({
  component: Outlet,
  errorComponent: Broken,
  notFoundComponent: () => (
    <Narrow>
      <NotFound />
    </Narrow>
  ),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: SIGN_IN,
  validateSearch: (search): { return_to?: string; fault?: string; second_step?: 1 } => ({
    ...(typeof search.return_to === 'string' ? { return_to: search.return_to } : {}),
    ...(typeof search.fault === 'string' ? { fault: search.fault } : {}),
    // The router reads the 1 of the address as a number.
    ...(search.second_step === 1 ? { second_step: 1 as const } : {}),
  }),
  component: SignInPage,
})

/** The page of an application's request. It checks itself whether somebody is signed in. */
const interaction = createRoute({
  getParentRoute: () => root,
  path: '/oauth/interaction/$uid',
  component: lazyRouteComponent(() => import('./pages/consent/page.tsx'), 'ConsentPage'),
})

/** Where whoever needs a second factor and has none sets one up, before anything else. */
const setUpFactor = createRoute({
  getParentRoute: () => root,
  path: SET_UP_FACTOR,
  validateSearch: (search): { return_to?: string } =>
    typeof search.return_to === 'string' ? { return_to: search.return_to } : {},
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: SIGN_IN, search: { return_to: location.href }, replace: true })
  },
  component: lazyRouteComponent(() => import('./pages/security/set-up.tsx'), 'SetUpPage'),
})

/** Everything that needs a signed-in person, within the frame. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: SIGN_IN, search: { return_to: location.href }, replace: true })
    if (session.second_factor === 'set_up') {
      throw redirect({ to: SET_UP_FACTOR, search: { return_to: location.href }, replace: true })
    }
    return { session }
  },
  component: Frame,
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: HOME,
  beforeLoad: ({ context: { session } }) => {
    const isAdmin = session.scopes.includes('tenant:admin')
    throw redirect({ to: isAdmin ? '/console/settings/api-keys' : '/console/settings/oauth-clients', replace: true })
  },
})

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/api-keys',
  component: lazyRouteComponent(() => import('./pages/api-keys/page.tsx'), 'ApiKeysPage'),
})

const oauthClients = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/settings/oauth-clients',
  component: lazyRouteComponent(() => import('./pages/oauth-clients/page.tsx'), 'OauthClientsPage'),
})

const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/console/security',
  component: lazyRouteComponent(() => import('./pages/security/page.tsx'), 'SecurityPage'),
})

const pages = signedIn.addChildren([home, apiKeys, oauthClients, security])
const routeTree = root.addChildren([signIn, interaction, setUpFactor, pages])

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({ routeTree, context: { queries }, defaultPreload: 'intent', defaultErrorComponent: Broken })
}

type ConsoleRouter = ReturnType<typeof createConsoleRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}

/** Goes to the sign-in, which returns people to the current page. */
export function toSignIn(router: ConsoleRouter): void {
  const { pathname, href } = router.state.location
  // Both pages check themselves who is signed in.
  if (pathname === SIGN_IN || pathname.startsWith('/oauth/')) return
  router.options.context.queries.clear()
  void router.navigate({ to: SIGN_IN, search: { return_to: href }, replace: true })
}

function Broken({ error }: { readonly error: unknown }) {
  const router = useRouter()
  return (
    <Narrow>
      <Failure error={error} onRetry={() => void router.invalidate()} />
    </Narrow>
  )
}
