import type { Database } from '../database/database.ts'
import type { RoutePlugin } from '../http/route.ts'
import { type RealmFor, realmOf } from '../tenants/realm.ts'
import { oauthAccessRoutes } from './access-routes.ts'
import { OAuthAccessRules } from './access-rules.ts'
import { authorizeRoutes } from './authorize-routes.ts'
import { interactionRoutes } from './interaction-routes.ts'
import { InteractionRules } from './interaction-rules.ts'
import { metadataRoutes } from './metadata-routes.ts'
import { ProviderPool } from './provider-pool.ts'
import type { ProviderOptions } from './provider.ts'
import { registrationRoutes } from './registration-routes.ts'
import { RegistrationRules } from './registration-rules.ts'
import { tokenRoutes } from './token-routes.ts'
import { TokenRules } from './token-rules.ts'

/** All routes of the OAuth server, put together. */
export function oauthPlugins(options: ProviderOptions, publicUrl: () => string): RoutePlugin[] {
  const database: Database = options.database
  const pool = new ProviderPool(options)
  const realmFor: RealmFor = ({ host }) => realmOf(database.queries, host, publicUrl())
  return [
    registrationRoutes(new RegistrationRules(database, pool, publicUrl), realmFor),
    tokenRoutes(new TokenRules(database), pool, realmFor),
    metadataRoutes(database, pool, realmFor, publicUrl),
    authorizeRoutes(pool, realmFor),
    interactionRoutes(new InteractionRules(database), pool, realmFor),
    oauthAccessRoutes(new OAuthAccessRules(database)),
  ]
}
