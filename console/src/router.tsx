import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { apiKeysRoute } from './pages/api-keys/route.ts'
import { consentRoute } from './pages/consent/route.ts'
import { entryRoute } from './pages/entry/route.ts'
import { invitationRoute } from './pages/invitation/route.ts'
import { oauthClientsRoute } from './pages/oauth-clients/route.ts'
import { partsRoute } from './pages/parts/route.ts'
import { forgottenPasswordRoute, newPasswordRoute } from './pages/password-link/route.ts'
import { peopleRoute, personRoute } from './pages/people/route.ts'
import { profileRoute, securityRoute } from './pages/profile/route.ts'
import { searchRoute } from './pages/search/route.ts'
import { setUpFactorRoute } from './pages/security/route.ts'
import { signInRoute, signedInAgainRoute } from './pages/sign-in/route.ts'
import { Broken, root, signedIn } from './router/roots.tsx'

// One line for each page, under the heading of its part of the console. The headings keep apart what several people
// add at the same time.
const routeTree = root.addChildren([
  // Without the frame.
  signInRoute,
  signedInAgainRoute,
  consentRoute,
  setUpFactorRoute,
  invitationRoute,
  newPasswordRoute,
  forgottenPasswordRoute,
  partsRoute,
  signedIn.addChildren([
    // Search and reading.
    searchRoute,
    entryRoute,

    // Writing.

    // Organising: categories, projects, workspaces, import.

    // Products and sites.

    // Search laboratory.

    // Insights.

    // Settings.
    peopleRoute,
    personRoute,
    apiKeysRoute,
    oauthClientsRoute,

    // System and first start.

    // The person's own profile.
    profileRoute,
    securityRoute,

    // Operators.
  ]),
])

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: Broken,
    scrollRestoration: true,
  })
}

type ConsoleRouter = ReturnType<typeof createConsoleRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}
