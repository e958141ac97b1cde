import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { JudgedSetRow } from '../../platform/database/tables.ts'
import { conflict, Fault, notFound, referenceNotFound } from '../../platform/faults.ts'
import { lockTenant } from '../../identity/tenants/lock-rules.ts'
import { newId } from '../../platform/ids.ts'
import { type Expected, requireExpected } from '../../platform/precondition.ts'
import {
  type JudgedQueries,
  type JudgedQueriesStored,
  type JudgedQuery,
  type JudgedSet,
  type JudgedSetCreate,
  type JudgedSetUpdate,
  QUERIES_MAX,
} from './contract.ts'
import { judgedTitles, parseJudgments, type StoredJudgment } from './judged.ts'
import * as store from './store.ts'

const SETS_MAX = 50
/** Judgments that a query may have, with those on entries that its last editor could not see. */
const JUDGMENTS_MAX = 100
const FAULTS_MAX = 20

/** Keeps sets of queries whose hits people have judged. */
export class JudgedSetRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Lists all sets of the tenant, oldest first. */
  async list(caller: Caller): Promise<JudgedSet[]> {
    const rows = await store.listSets(this.#database.queries, caller.tenant.id)
    return rows.map((row) => setOf(row, row.queries))
  }

  async read(caller: Caller, id: string): Promise<JudgedSet> {
    return this.#withCount(this.#database.queries, await requireSet(this.#database.queries, caller, id))
  }

  /** Creates a set. @throws Fault conflict when the tenant has as many sets as it may have */
  async create(caller: Caller, { name, section }: JudgedSetCreate): Promise<JudgedSet> {
    const { id: tenantId } = caller.tenant
    return this.#write(caller, 'create', async (tx) => {
      if ((await store.countSets(tx, tenantId)) >= SETS_MAX)
        throw conflict(['body', 'name'], `There are ${SETS_MAX} sets, which is the most`)
      const now = Date.now()
      const row: JudgedSetRow = { tenant_id: tenantId, id: newId(), name, section, created_at: now, updated_at: now }
      await store.insertSet(tx, row)
      return setOf(row, 0)
    })
  }

  /** Renames a set. @throws Fault not_found; precondition_failed when the set is not as expected */
  async rename(
    caller: Caller,
    id: string,
    { name }: JudgedSetUpdate,
    expected: Expected<JudgedSet> = null,
  ): Promise<JudgedSet> {
    return this.#write(caller, 'update', async (tx) => {
      const before = await this.#requireUnchanged(tx, caller, id, expected)
      const row = { ...before, name, updated_at: Math.max(Date.now(), before.updated_at) }
      await store.renameSet(tx, row)
      return this.#withCount(tx, row)
    })
  }

  /** Deletes a set with its queries and runs. @throws Fault like `rename` */
  async remove(caller: Caller, id: string, expected: Expected<JudgedSet> = null): Promise<void> {
    await this.#write(caller, 'delete', async (tx) => {
      await this.#requireUnchanged(tx, caller, id, expected)
      await store.deleteSet(tx, caller.tenant.id, id)
      return { id }
    })
  }

  /** Returns a page of the queries of a set, in the order in which they were added. */
  async queries(
    caller: Caller,
    id: string,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<{ queries: JudgedQuery[]; next: string | null }> {
    const { queries: db } = this.#database
    const { section } = await requireSet(db, caller, id)
    const rows = await store.listQueries(db, caller.tenant.id, id, { after, limit: limit + 1 })
    const page = rows.slice(0, limit).map((row) => ({ ...row, judgments: parseJudgments(row.judgments) }))
    const ids = page.flatMap(({ judgments }) => judgments.map((judgment) => judgment.id))
    const titles = await judgedTitles(db, caller, section, ids)
    const queries = page.map(({ id: queryId, query, judgments }) => ({
      id: queryId,
      query,
      judgments: judgments.flatMap(({ id: judgedId, grade }) => {
        const title = titles.get(judgedId)
        return title === undefined ? [] : [{ id: judgedId, grade, title }]
      }),
    }))
    return { queries, next: rows.length > limit ? page[limit - 1].id : null }
  }

  /**
   * Adds queries, and replaces queries of the set with the same text. Judgments on entries that the caller may not see
   * stay.
   * @throws Fault not_found; invalid at each id that does not exist or the caller may not see, conflict when the set
   *   would have too many queries
   */
  async putQueries(caller: Caller, id: string, { queries }: JudgedQueries): Promise<JudgedQueriesStored> {
    const { id: tenantId } = caller.tenant
    const changes = { added: 0, replaced: 0 }
    await this.#write(caller, 'update', async (tx) => {
      const { section } = await requireSet(tx, caller, id)
      const rowsByText = await store.queriesByText(tx, tenantId, id)
      const texts = new Set(queries.map(({ query }) => query))
      const before = [...texts].flatMap((text) => parseJudgments(rowsByText.get(text)?.judgments ?? '[]'))
      const requested = queries.flatMap(({ judgments }) => judgments)
      const titles = await judgedTitles(
        tx,
        caller,
        section,
        [...requested, ...before].map((judgment) => judgment.id),
      )
      requireAll(queries, titles, section)
      if (rowsByText.size + [...texts].filter((text) => !rowsByText.has(text)).length > QUERIES_MAX)
        throw conflict(['body', 'queries'], `A set has at most ${QUERIES_MAX} queries`)
      for (const [query, judgments] of new Map(queries.map((each) => [each.query, each.judgments]))) {
        const row = rowsByText.get(query)
        const hidden = row === undefined ? [] : parseJudgments(row.judgments).filter((each) => !titles.has(each.id))
        const all: StoredJudgment[] = [...distinct(judgments), ...hidden].slice(0, JUDGMENTS_MAX)
        const place = { tenant_id: tenantId, id: row?.id ?? newId(), set_id: id }
        await store.putQuery(tx, { ...place, query, judgments: JSON.stringify(all) })
        if (row === undefined) changes.added += 1
        else changes.replaced += 1
      }
      return { id }
    })
    return changes
  }

  async removeQuery(caller: Caller, id: string, queryId: string): Promise<void> {
    await this.#write(caller, 'update', async (tx) => {
      await requireSet(tx, caller, id)
      if (!(await store.deleteQuery(tx, caller.tenant.id, id, queryId))) throw notFound(['path', 'query_id'], 'Query')
      return { id }
    })
  }

  async #requireUnchanged(tx: Tx, caller: Caller, id: string, expected: Expected<JudgedSet>): Promise<JudgedSetRow> {
    const row = await requireSet(tx, caller, id)
    if (expected !== null) requireExpected(await this.#withCount(tx, row), expected, 'The set has another version')
    return row
  }

  async #withCount(db: Queries, row: JudgedSetRow): Promise<JudgedSet> {
    return setOf(row, await store.countQueries(db, row.tenant_id, row.id))
  }

  #write<T extends { readonly id: string }>(
    caller: Caller,
    action: 'create' | 'update' | 'delete',
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const { id: tenantId } = caller.tenant
    return this.#database.write(async (tx) => {
      // The lock makes changes of one tenant happen in turn, so that what the work has checked still holds when it writes.
      await lockTenant(tx, tenantId)
      const written = await work(tx)
      await recordAudit(tx, tenantId, caller, [{ action, resourceType: 'judged_set', resourceId: written.id }])
      return written
    }, tenantId)
  }
}

/** Finds the row of a set. @throws Fault not_found */
export async function requireSet(db: Queries, caller: Caller, id: string): Promise<JudgedSetRow> {
  const row = await store.findSet(db, caller.tenant.id, id)
  if (row === null) throw notFound(['path', 'set_id'], 'Judged set')
  return row
}

function requireAll(
  queries: JudgedQueries['queries'],
  titles: ReadonlyMap<string, string>,
  section: JudgedSetRow['section'],
): void {
  const what = section === 'knowledge' ? 'Entry' : 'Product'
  const faults = queries.flatMap(({ judgments }, i) =>
    judgments.flatMap(({ id }, j) =>
      titles.has(id)
        ? []
        : referenceNotFound(['body', 'queries', String(i), 'judgments', String(j), 'id'], what).details,
    ),
  )
  if (faults.length > 0) throw new Fault('invalid', faults.slice(0, FAULTS_MAX))
}

/** Returns one judgment of each id: the last one. */
function distinct(judgments: readonly StoredJudgment[]): StoredJudgment[] {
  return [...new Map(judgments.map((each) => [each.id, { id: each.id, grade: each.grade }])).values()]
}

function setOf({ id, name, section, created_at, updated_at }: JudgedSetRow, queries: number): JudgedSet {
  return {
    id,
    name,
    section,
    queries,
    created_at: new Date(created_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
  }
}
