import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Page, PageOf } from '../../../platform/database/page.ts'
import type { ProductSyncRunRow } from '../../../platform/database/tables.ts'
import { keyNames } from '../../../identity/api-keys/list-rules.ts'
import { usersById } from '../../../identity/users/rules.ts'
import { requireSite } from '../../sites/rules.ts'
import type { FailedLine, ProductSyncRun } from './contract.ts'
import { listRuns } from './sync-run-store.ts'

/** Milliseconds without a stored batch after which a push has ended, with its process or its sender. */
const SILENT_MS = 600_000

/** Lists the pushes to a site, and what they changed. */
export class ProductSyncRunRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns a page of the runs of a site, newest first. @throws Fault not_found without the site */
  async list(caller: Caller, siteId: string, page: PageOf<string>): Promise<Page<ProductSyncRun, string>> {
    const { id: tenantId } = caller.tenant
    await requireSite(this.#database.queries, tenantId, siteId)
    const listed = await listRuns(this.#database.queries, tenantId, siteId, page)
    const rows = listed.slice(0, page.limit)
    const nameOf = await this.#names(tenantId, rows)
    return {
      items: rows.map((row) => runOf(row, nameOf(row), Date.now())),
      next: listed.length > rows.length ? rows.at(-1).id : null,
    }
  }

  async #names(
    tenantId: string,
    rows: readonly ProductSyncRunRow[],
  ): Promise<(row: ProductSyncRunRow) => string | null> {
    const { queries } = this.#database
    const isKey = (row: ProductSyncRunRow): boolean => row.credential_kind === 'key'
    const keyIds = rows.filter(isKey).flatMap(({ credential_id: id }) => id ?? [])
    const userIds = rows.filter((row) => !isKey(row)).flatMap(({ user_id: id }) => id ?? [])
    const keys = await keyNames(queries, tenantId, keyIds)
    const users = await usersById(queries, tenantId, userIds)
    return (row) => (isKey(row) ? keys.get(row.credential_id ?? '') : users.get(row.user_id ?? '')?.name) ?? null
  }
}

function runOf(row: ProductSyncRunRow, name: string | null, now: number): ProductSyncRun {
  const isSilent = row.status === 'running' && now - row.seen_at > SILENT_MS
  return {
    id: row.id,
    site_id: row.site_id,
    source: row.source,
    sync: row.is_full === 1 ? 'full' : 'delta',
    status: isSilent ? 'broken_off' : (row.status as ProductSyncRun['status']),
    started_at: new Date(row.started_at).toISOString(),
    seen_at: new Date(row.seen_at).toISOString(),
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    failed: row.failed,
    retired: row.retired,
    not_retired: row.not_retired,
    refusal: row.refusal as ProductSyncRun['refusal'],
    reason: row.reason,
    failures: JSON.parse(row.failures) as FailedLine[],
    by: {
      kind: (row.credential_kind ?? 'command_line') as ProductSyncRun['by']['kind'],
      id: row.credential_id,
      name,
    },
  }
}
