import { deleteRecordsBefore } from '../identity/audit-trail/retention.ts'
import { workingTenants } from '../identity/tenants/list-rules.ts'
import { parseSettings } from '../identity/tenants/settings.ts'
import { deleteVersionsBefore } from '../knowledge/entries/retention/rules.ts'
import type { Database } from '../platform/database/database.ts'

const DAY_MS = 86_400_000

/**
 * Deletes what tenants no longer keep: audit records after `auditDays`, earlier versions of entries after
 * `versionDays`. Suspended tenants keep what they have.
 */
export class Retention {
  readonly #database: Database
  /**
   * When this process last walked along the versions of a tenant, which it does once a day: no index finds old ones.
   */
  readonly #walkedAt = new Map<string, number>()

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Deletes the records and versions that are due.
   * @param now milliseconds since 1970
   * @param isEnding tells whether to stop before the next step
   */
  async sweep(now: number, isEnding: () => boolean): Promise<void> {
    for (const { tenant_id: id, settings } of await workingTenants(this.#database.queries)) {
      if (isEnding()) return
      const { auditDays, versionDays } = parseSettings(settings)
      await deleteRecordsBefore(this.#database, id, now - auditDays * DAY_MS, isEnding)
      if (versionDays === 0 || now - (this.#walkedAt.get(id) ?? -Infinity) < DAY_MS) continue
      await deleteVersionsBefore(this.#database, id, now - versionDays * DAY_MS, isEnding)
      this.#walkedAt.set(id, now)
    }
  }
}
