import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { apiKeysRoute } from './pages/api-keys/route.ts'
import { binRoute } from './pages/bin/route.ts'
import { categoriesRoute } from './pages/categories/route.ts'
import { auditTrailRoute } from './pages/audit-trail/route.ts'
import { connectRoute } from './pages/connect/route.ts'
import { consentRoute } from './pages/consent/route.ts'
import { editorRoute } from './pages/editor/route.ts'
import { entriesRoute } from './pages/entries/route.ts'
import { entryRoute } from './pages/entry/route.ts'
import { projectsRoute, shownOnSitesRoute, workspacesRoute } from './pages/groups/route.ts'
import { importRoute } from './pages/import/route.ts'
import { judgedSetRoute } from './pages/judged-set/route.ts'
import { judgedSetsRoute } from './pages/judged-sets/route.ts'
import { laboratoryRoute } from './pages/laboratory/route.ts'
import { merchandisingRoute, ruleRoute } from './pages/merchandising/route.ts'
import { invitationRoute } from './pages/invitation/route.ts'
import { firstStepsRoute } from './pages/first-steps/route.ts'
import { insightsRoute } from './pages/insights/route.ts'
import { oauthClientsRoute } from './pages/oauth-clients/route.ts'
import { operatorHomeRoute, operatorRoot } from './pages/operator/route.ts'
import { operatorLogRoute } from './pages/operator-log/route.ts'
import { operatorStatusRoute } from './pages/operator-status/route.ts'
import { operatorTenantRoute } from './pages/operator-tenant/route.ts'
import { operatorTenantsRoute } from './pages/operator-tenants/route.ts'
import { partsRoute } from './pages/parts/route.ts'
import { productRoute } from './pages/product/route.ts'
import { productsRoute } from './pages/products/route.ts'
import { searchRoute } from './pages/search/route.ts'
import { searchWordsRoute } from './pages/search-words/route.ts'
import { setUpFactorRoute } from './pages/security/route.ts'
import { settingsRoute } from './pages/settings/route.ts'
import { forgottenPasswordRoute, newPasswordRoute } from './pages/password-link/route.ts'
import { peopleRoute, personRoute } from './pages/people/route.ts'
import { profileRoute, securityRoute } from './pages/profile/route.ts'
import { signInRoute, signedInAgainRoute } from './pages/sign-in/route.ts'
import { syncsRoute } from './pages/syncs/route.ts'
import { versionsRoute } from './pages/versions/route.ts'
import { singleSignOnRoute } from './pages/single-sign-on/route.ts'
import { systemRoute } from './pages/system/route.ts'
import { Broken, root, signedIn } from './router/roots.tsx'

// One line for each page, under the heading of its part of the console. The headings keep lines of different people
// apart, so that merges do not collide.
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
    entriesRoute,
    binRoute,
    editorRoute,
    versionsRoute,

    // Organising: categories, projects, workspaces, import.
    categoriesRoute,
    projectsRoute,
    workspacesRoute,
    importRoute,

    // Products and sites.
    productsRoute,
    syncsRoute,
    merchandisingRoute,
    ruleRoute,
    searchWordsRoute,
    productRoute,
    shownOnSitesRoute,

    // Search laboratory.
    laboratoryRoute,
    judgedSetsRoute,
    judgedSetRoute,

    // Insights.
    insightsRoute,

    // Settings.
    settingsRoute,
    singleSignOnRoute,
    peopleRoute,
    personRoute,
    apiKeysRoute,
    oauthClientsRoute,
    auditTrailRoute,

    // System and first start.
    systemRoute,
    connectRoute,
    firstStepsRoute,

    // The person's own profile.
    profileRoute,
    securityRoute,

    // Operators have a frame of their own, below.
  ]),
  operatorRoot.addChildren([
    operatorHomeRoute,
    operatorTenantsRoute,
    operatorTenantRoute,
    operatorStatusRoute,
    operatorLogRoute,
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
