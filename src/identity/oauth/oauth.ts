import type { Database } from '../../platform/database/database.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { type RealmFor, realmOf } from '../tenants/realm.ts'
import { tenantSuspended } from '../tenants/suspended.ts'
import type { Confirmations } from '../sessions/factors/confirmations.ts'
import { oauthAccessRoutes } from './clients/access-routes.ts'
import { OAuthAccessRules } from './clients/access-rules.ts'
import { authorizeRoutes } from './authorize/authorize-routes.ts'
import { interactionRoutes } from './authorize/interaction-routes.ts'
import { InteractionRules } from './authorize/interaction-rules.ts'
import { metadataRoutes } from './metadata/metadata-routes.ts'
import { ProviderPool } from './protocol/provider-pool.ts'
import type { ProviderOptions } from './protocol/provider.ts'
import { registrationRoutes } from './registration/registration-routes.ts'
import { type IssuerAt, issuerOf } from './registration/registration-mode.ts'
import { RegistrationRules } from './registration/registration-rules.ts'
import { tokenRoutes } from './tokens/token-routes.ts'
import { TokenRules } from './tokens/token-rules.ts'

/** Returns all routes of the OAuth server. @param rates counts each request against its tenant's quota */
export function oauthPlugins(
  options: ProviderOptions,
  confirmations: Confirmations,
  publicUrl: () => string,
  rates: ConstructorParameters<typeof TokenRules>[1],
): RoutePlugin[] {
  const database: Database = options.database
  const pool = new ProviderPool(options)
  const realmFor: RealmFor = async ({ host }) => {
    const realm = await realmOf(database.queries, host, publicUrl())
    if (realm.isSuspended === true) throw tenantSuspended(['header', 'host'])
    return realm
  }
  const issuerAt: IssuerAt = ({ host }) => issuerOf(database, host, publicUrl())
  return [
    registrationRoutes(new RegistrationRules(database, pool, publicUrl), realmFor),
    tokenRoutes(new TokenRules(database, rates), pool, realmFor),
    metadataRoutes(issuerAt, pool, realmFor),
    authorizeRoutes(pool, realmFor),
    interactionRoutes(new InteractionRules(database, confirmations), pool, realmFor),
    oauthAccessRoutes(new OAuthAccessRules(database)),
  ]
}
