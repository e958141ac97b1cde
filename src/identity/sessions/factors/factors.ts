import type { Database } from '../../../platform/database/database.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { OwnProof } from '../own-proof.ts'
import type { SessionRules } from '../rules.ts'
import type { WrongProofs } from '../wrong-proofs.ts'
import { Confirmations } from './confirmations.ts'
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
  readonly proof: OwnProof
  readonly wrongProofs: WrongProofs
  readonly now?: () => number
}

/** Routes for setting up second factors and for signing in with them, and the confirmations of a signed-in person. */
interface FactorWing {
  readonly plugins: readonly RoutePlugin[]
  readonly confirmations: Confirmations
}

/** Makes the rules of second factors and the routes that call them. */
export function factorWing(parts: FactorParts): FactorWing {
  const { database, sessions, secrets, publicUrl, proof, wrongProofs, now = Date.now } = parts
  const ceremonies = new PasskeyCeremonies({ database, publicUrl, now })
  const checks = new FactorChecks({ database, secrets, ceremonies, now })
  const shared = { database, sessions, checks, ceremonies, throttle: new FactorThrottle(now), now }
  const confirmations = new Confirmations({ ...shared, wrongProofs })
  return {
    plugins: [
      secondStepRoutes(new SecondStepRules(shared), publicUrl, proof),
      factorRoutes(new FactorRules({ ...shared, secrets, confirmations })),
    ],
    confirmations,
  }
}
