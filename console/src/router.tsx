import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { apiKeysRoute } from './pages/api-keys/route.ts'
import { connectRoute } from './pages/connect/route.ts'
import { consentRoute } from './pages/consent/route.ts'
import { entryRoute } from './pages/entry/route.ts'
import { firstStepsRoute } from './pages/first-steps/route.ts'
import { insightsRoute } from './pages/insights/route.ts'
import { oauthClientsRoute } from './pages/oauth-clients/route.ts'
import { partsRoute } from './pages/parts/route.ts'
import { searchRoute } from './pages/search/route.ts'
import { securityRoute, setUpFactorRoute } from './pages/security/route.ts'
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
    insightsRoute,

    // Settings.
    apiKeysRoute,
    oauthClientsRoute,

    // System and first start.
    connectRoute,
    firstStepsRoute,

    // The person's own profile.
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
