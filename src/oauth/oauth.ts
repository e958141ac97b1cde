import type { Database } from '../database/database.ts'
import type { RoutePlugin } from '../http/route.ts'
import { OAuthAccessRules } from './access-rules.ts'
import { oauthAccessRoutes } from './access-routes.ts'
import { interactionRoutes } from './interaction-routes.ts'
import { InteractionRules } from './interaction-rules.ts'
import { ProviderPool } from './provider-pool.ts'
import type { ProviderOptions } from './provider.ts'
import { RegistrationRules } from './registration-rules.ts'
import { oauthRoutes } from './routes.ts'
import { TokenRules } from './token-rules.ts'

/** All routes of the OAuth server, put together. */
export function oauthPlugins(options: ProviderOptions, publicUrl: () => string): RoutePlugin[] {
  const database: Database = options.database
  const pool = new ProviderPool(options)
  const registration = new RegistrationRules(database, pool, publicUrl)
  const tokens = new TokenRules(database, pool)
  return [
    oauthRoutes({ database, pool, publicUrl, registration, tokens }),
    interactionRoutes(database, new InteractionRules(database, pool), publicUrl),
    oauthAccessRoutes(new OAuthAccessRules(database)),
  ]
}
