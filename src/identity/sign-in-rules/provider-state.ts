import type { Caller } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { PROVIDER_LOGOUT } from '../provider-logout/rules.ts'
import type { ProviderClient } from '../sessions/provider-client.ts'
import { CALLBACK } from '../sessions/provider-rules.ts'
import { realmOfTenant } from '../tenants/realm.ts'
import { requireTenant } from '../tenants/rules.ts'
import type { SignInProviderState } from './contract.ts'

interface ProviderStateOptions {
  readonly database: Database
  /** The outside provider that the operator has set up; null for none. */
  readonly provider: {
    readonly name: string
    readonly issuer: string
    readonly scopes: string
    readonly client: Pick<ProviderClient, 'state'>
  } | null
  readonly publicUrl: () => string
}

/** Shows administrators of a tenant the outside provider, and whether it answers. */
export class ProviderStateRules {
  readonly #options: ProviderStateOptions

  constructor(options: ProviderStateOptions) {
    this.#options = options
  }

  async read({ tenant: { id } }: Caller): Promise<SignInProviderState> {
    const { database, provider, publicUrl } = this.#options
    if (provider === null) return { provider: null }
    const { name, issuer, scopes, client } = provider
    const { issuer: origin } = realmOfTenant(await requireTenant(database.queries, id), publicUrl())
    const { answers, checkedAt } = await client.state()
    const checked = new Date(checkedAt).toISOString()
    const addresses = { redirect_uri: `${origin}${CALLBACK}`, backchannel_logout_uri: `${origin}${PROVIDER_LOGOUT}` }
    return { provider: { name, issuer, scopes, ...addresses, answers, checked_at: checked } }
  }
}
