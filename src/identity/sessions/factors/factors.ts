import type { Database } from '../../../platform/database/database.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { SessionRules } from '../rules.ts'
import { FactorChecks } from './factor-checks.ts'
import { factorRoutes } from './factor-routes.ts'
import { FactorRules } from './factor-rules.ts'
import { FactorThrottle } from './factor-throttle.ts'
import { PasskeyCeremonies } from './passkey-ceremonies.ts'
import { secondStepRoutes } from './second-step-routes.ts'
import { SecondStepRules } from './second-step-rules.ts'

interface FactorParts {
  readonly database: Database
  readonly sessions: SessionRules
  readonly secrets: SecretBox
  readonly publicUrl: () => string
  readonly now?: () => number
}

/** Returns the routes for setting up second factors and for signing in with them. */
export function factorPlugins({ database, sessions, secrets, publicUrl, now = Date.now }: FactorParts): RoutePlugin[] {
  const ceremonies = new PasskeyCeremonies({ database, publicUrl, now })
  const checks = new FactorChecks({ database, secrets, ceremonies, now })
  const shared = { database, sessions, checks, ceremonies, throttle: new FactorThrottle(now), now }
  return [
    secondStepRoutes(new SecondStepRules(shared), publicUrl),
    factorRoutes(new FactorRules({ ...shared, secrets })),
  ]
}
