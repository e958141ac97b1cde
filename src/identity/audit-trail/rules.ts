import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { AuditRow } from '../../platform/database/tables.ts'
import { invalid } from '../../platform/faults.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import { usersById } from '../users/rules.ts'
import type { AuditFilters, AuditRecord } from './contract.ts'
import * as store from './store.ts'

/** Records that one statement looks at: on SQLite about a millisecond of the thread that answers HTTP. */
const STEP = 1_000
/** Records that an export reads at once. */
const EXPORT_ROWS = 500

type Place = readonly [id: string]

/** Lists and exports the audit log of the caller's tenant. */
export class AuditTrail {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Returns a page of the records that match, newest first.
   * @throws Fault invalid when the range ends before it begins
   */
  async list({ tenant }: Caller, filters: AuditFilters, page: PageOf<Place>): Promise<Page<AuditRecord, Place>> {
    const filter = filterOf(filters)
    const read = (after: Place | null, limit: number) => this.#rows(tenant.id, filter, after, limit)
    const { items, next } = await readPage(tenant.id, page, read, placeOf)
    return { items: await this.#withUsers(tenant.id, items), next }
  }

  /**
   * Returns all records that match the filters, newest first, in batches. A batch is read when it is taken. The export
   * is recorded before the first batch, and its own record is not among the records.
   * @param renewCaller checks before each further batch that the caller may still read
   * @throws Fault invalid when the range ends before it begins
   */
  async export(
    caller: Caller,
    filters: AuditFilters,
    renewCaller: () => Promise<Caller>,
  ): Promise<AsyncGenerator<AuditRecord[]>> {
    const { id: tenantId } = caller.tenant
    const filter = filterOf(filters)
    const newest = await store.newestId(this.#database.queries, tenantId)
    await this.#database.write(async (tx) => {
      const event = { action: 'export', resourceType: 'audit_log', resourceId: tenantId, details: { filters } } as const
      await recordAudit(tx, tenantId, caller, [event])
    }, tenantId)
    return this.#batches(tenantId, { ...filter, upTo: newest ?? '' }, renewCaller)
  }

  async *#batches(
    tenantId: string,
    filter: store.RecordFilter,
    renewCaller: () => Promise<Caller>,
  ): AsyncGenerator<AuditRecord[]> {
    let after: Place | null = null
    do {
      if (after !== null) await renewCaller()
      const read = (from: Place | null, limit: number) => this.#rows(tenantId, filter, from, limit)
      const page: Page<AuditRow, Place> = await readPage(tenantId, { limit: EXPORT_ROWS, after }, read, placeOf)
      yield await this.#withUsers(tenantId, page.items)
      after = page.next
    } while (after !== null)
  }

  /**
   * Returns at most `limit` records that match. Walks the log in stretches, because a statement for the whole log would
   * take long where few records match.
   */
  async #rows(tenantId: string, filter: store.RecordFilter, after: Place | null, limit: number): Promise<AuditRow[]> {
    const { queries } = this.#database
    const rows: AuditRow[] = []
    for (let before = after?.[0] ?? null; ;) {
      const end = await store.endOfStretch(queries, tenantId, before, STEP)
      rows.push(...(await store.recordsIn(queries, tenantId, { before, end }, filter, limit - rows.length)))
      if (end === null || rows.length === limit) return rows
      before = end
      await threadSlices.pause(tenantId)
    }
  }

  async #withUsers(tenantId: string, rows: readonly AuditRow[]): Promise<AuditRecord[]> {
    const ids = rows.flatMap(({ user_id: id }) => id ?? [])
    const users = await usersById(this.#database.queries, tenantId, ids)
    const people = new Map(Array.from(users.values(), ({ id, email, name }) => [id, { id, email, name }]))
    return rows.map((row) => recordOf(row, people))
  }
}

function placeOf({ id }: AuditRow): Place {
  return [id]
}

function filterOf({ from, to, outcome, ...same }: AuditFilters): store.RecordFilter {
  const times = { from: momentOf(from), to: momentOf(to) }
  if (times.from !== undefined && times.to !== undefined && times.from > times.to)
    throw invalid(['query', 'from'], 'value_error', 'from should not be after to')
  return { ...same, ...times, isRefused: outcome === undefined ? undefined : outcome === 'refused' }
}

function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}

function recordOf(row: AuditRow, people: ReadonlyMap<string, AuditRecord['user']>): AuditRecord {
  return {
    id: row.id,
    created_at: new Date(row.at).toISOString(),
    action: row.action,
    outcome: row.action.endsWith('_refused') ? 'refused' : 'done',
    resource_type: row.resource_type,
    resource_id: row.resource_id,
    user_id: row.user_id,
    user: row.user_id === null ? null : (people.get(row.user_id) ?? null),
    credential_id: row.credential_id,
    source: row.source,
    client_id: row.client_id,
    claimed_source: row.claimed_source,
    claimed_client_id: row.claimed_client_id,
    details: row.details === null ? null : (JSON.parse(row.details) as Record<string, unknown>),
  }
}
