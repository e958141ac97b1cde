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
/** Judgments of one query, with those that its last editor could not see. */
const JUDGMENTS_MAX = 100
const FAULTS_MAX = 20

/** Sets of queries whose hits people have judged. */
export class JudgedSetRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** All sets of the tenant, oldest first. */
  async list(caller: Caller): Promise<JudgedSet[]> {
    const rows = await store.listSets(this.#database.queries, caller.tenant.id)
    return rows.map((row) => setOf(row, row.queries))
  }

  async read(caller: Caller, id: string): Promise<JudgedSet> {
    return this.#counted(this.#database.queries, await requireSet(this.#database.queries, caller, id))
  }

  /** @throws Fault conflict when the tenant has the most sets it may have */
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

  /** @throws Fault not_found; precondition_failed when the set is not as expected */
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
      return this.#counted(tx, row)
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

  /** A page of the queries of a set, in the order in which they were added. */
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
      judgments: judgments.flatMap(({ id: judged, grade }) => {
        const title = titles.get(judged)
        return title === undefined ? [] : [{ id: judged, grade, title }]
      }),
    }))
    return { queries, next: rows.length > limit ? page[limit - 1].id : null }
  }

  /**
   * Adds queries, and replaces those that the set has. Judgments on entries that the caller may not see stay.
   * @throws Fault not_found; invalid at each id that does not exist or the caller may not see, conflict when the set
   * would have too many queries
   */
  async putQueries(caller: Caller, id: string, { queries }: JudgedQueries): Promise<JudgedQueriesStored> {
    const { id: tenantId } = caller.tenant
    const stored = { added: 0, replaced: 0 }
    await this.#write(caller, 'update', async (tx) => {
      const { section } = await requireSet(tx, caller, id)
      const known = await store.queriesByText(tx, tenantId, id)
      const texts = new Set(queries.map(({ query }) => query))
      const before = [...texts].flatMap((text) => parseJudgments(known.get(text)?.judgments ?? '[]'))
      const sent = queries.flatMap(({ judgments }) => judgments)
      const titles = await judgedTitles(
        tx,
        caller,
        section,
        [...sent, ...before].map((judgment) => judgment.id),
      )
      requireAll(queries, titles, section)
      if (known.size + [...texts].filter((text) => !known.has(text)).length > QUERIES_MAX)
        throw conflict(['body', 'queries'], `A set has at most ${QUERIES_MAX} queries`)
      for (const [query, judgments] of new Map(queries.map((each) => [each.query, each.judgments]))) {
        const row = known.get(query)
        const hidden = row === undefined ? [] : parseJudgments(row.judgments).filter((each) => !titles.has(each.id))
        const all: StoredJudgment[] = [...distinct(judgments), ...hidden].slice(0, JUDGMENTS_MAX)
        const place = { tenant_id: tenantId, id: row?.id ?? newId(), set_id: id }
        await store.putQuery(tx, { ...place, query, judgments: JSON.stringify(all) })
        if (row === undefined) stored.added += 1
        else stored.replaced += 1
      }
      return { id }
    })
    return stored
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
    if (expected !== null) requireExpected(await this.#counted(tx, row), expected, 'The set has another version')
    return row
  }

  async #counted(db: Queries, row: JudgedSetRow): Promise<JudgedSet> {
    return setOf(row, await store.countQueries(db, row.tenant_id, row.id))
  }

  #write<T extends { readonly id: string }>(
    caller: Caller,
    action: 'create' | 'update' | 'delete',
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const { id: tenantId } = caller.tenant
    return this.#database.write(async (tx) => {
      // What the work checks stays so until its rows are in: changes of one tenant happen in turn.
      await lockTenant(tx, tenantId)
      const changed = await work(tx)
      await recordAudit(tx, tenantId, caller, [{ action, resourceType: 'judged_set', resourceId: changed.id }])
      return changed
    }, tenantId)
  }
}

/** @throws Fault not_found */
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

/** One judgment of each id: the last. */
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
