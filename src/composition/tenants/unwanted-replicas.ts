import { findTenant } from '../../identity/tenants/rules.ts'
import { parseSettings } from '../../identity/tenants/settings.ts'
import type { Database } from '../../platform/database/database.ts'
import { dropReplicas, listReplicated } from '../../search/pgvector/replicas.ts'

/**
 * Drops the replicas of tenants that are gone or have another search engine. One that nobody wants is dropped the
 * second time that it is seen, so that the other engine has time to build its index.
 */
export class UnwantedReplicas {
  readonly #database: Database
  #seen = new Set<string>()

  constructor(database: Database) {
    this.#database = database
  }

  async dropUnwanted(): Promise<void> {
    const unwanted = new Set<string>()
    for (const tenantId of await listReplicated(this.#database)) {
      const tenant = await findTenant(this.#database.queries, tenantId)
      if (tenant !== null && parseSettings(tenant.settings).searchEngine === 'pgvector') continue
      if (this.#seen.has(tenantId)) await dropReplicas(this.#database, tenantId)
      else unwanted.add(tenantId)
    }
    this.#seen = unwanted
  }
}
