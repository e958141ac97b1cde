import type { Queries } from '../../platform/database/database.ts'
import type { JudgedQueryRow, JudgedRunRow, JudgedSetRow } from '../../platform/database/tables.ts'

/** A run without its results, which may be long. */
export type RunHead = Omit<JudgedRunRow, 'results'>

const HEAD = [
  'tenant_id',
  'id',
  'set_id',
  'state',
  'ceiling',
  'settings',
  'done',
  'total',
  'ndcg',
  'first_right',
  'started_at',
  'renewed_at',
  'finished_at',
] as const

const sets = (db: Queries, tenantId: string) => db.selectFrom('judged_sets').where('tenant_id', '=', tenantId)

/** Lists all sets, oldest first, each with the number of its queries. */
export async function listSets(db: Queries, tenantId: string): Promise<(JudgedSetRow & { queries: number })[]> {
  const rows = await sets(db, tenantId).selectAll().orderBy('id').execute()
  const counts = await db
    .selectFrom('judged_queries')
    .select((eb) => ['set_id', eb.fn.countAll<number>().as('count')])
    .where('tenant_id', '=', tenantId)
    .groupBy('set_id')
    .execute()
  const bySet = new Map(counts.map(({ set_id, count }) => [set_id, count]))
  return rows.map((row) => ({ ...row, queries: bySet.get(row.id) ?? 0 }))
}

export async function findSet(db: Queries, tenantId: string, id: string): Promise<JudgedSetRow | null> {
  return (await sets(db, tenantId).selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export async function countSets(db: Queries, tenantId: string): Promise<number> {
  const row = await sets(db, tenantId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertSet(tx: Queries, row: JudgedSetRow): Promise<void> {
  await tx.insertInto('judged_sets').values(row).execute()
}

export async function renameSet(tx: Queries, { tenant_id, id, name, updated_at }: JudgedSetRow): Promise<void> {
  await tx
    .updateTable('judged_sets')
    .set({ name, updated_at })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes a set with its queries and runs. */
export async function deleteSet(tx: Queries, tenantId: string, id: string): Promise<void> {
  await tx.deleteFrom('judged_sets').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

const queriesOf = (db: Queries, tenantId: string, setId: string) =>
  db.selectFrom('judged_queries').where('tenant_id', '=', tenantId).where('set_id', '=', setId)

/** Lists queries of a set in the order of their addition. @param after id of the last query of the page before */
export async function listQueries(
  db: Queries,
  tenantId: string,
  setId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<JudgedQueryRow[]> {
  const query = queriesOf(db, tenantId, setId).selectAll().orderBy('id').limit(limit)
  return (after === null ? query : query.where('id', '>', after)).execute()
}

/** Returns all queries of a set, by their text. */
export async function queriesByText(
  db: Queries,
  tenantId: string,
  setId: string,
): Promise<Map<string, JudgedQueryRow>> {
  const rows = await queriesOf(db, tenantId, setId).selectAll().execute()
  return new Map(rows.map((row) => [row.query, row]))
}

export async function countQueries(db: Queries, tenantId: string, setId: string): Promise<number> {
  const row = await queriesOf(db, tenantId, setId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Inserts a query, or replaces the judgments of the query of the set with the same text. */
export async function putQuery(tx: Queries, row: JudgedQueryRow): Promise<void> {
  const { judgments } = row
  await tx
    .insertInto('judged_queries')
    .values(row)
    .onConflict((c) => c.columns(['tenant_id', 'set_id', 'query']).doUpdateSet({ judgments }))
    .execute()
}

/** @returns whether the set had the query */
export async function deleteQuery(tx: Queries, tenantId: string, setId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('judged_queries')
    .where('tenant_id', '=', tenantId)
    .where('set_id', '=', setId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

const runs = (db: Queries, tenantId: string) => db.selectFrom('judged_runs').where('tenant_id', '=', tenantId)

/** Lists the runs of a set that had one of these ceilings, newest first. */
export async function listRuns(
  db: Queries,
  tenantId: string,
  setId: string,
  ceilings: readonly JudgedRunRow['ceiling'][],
  limit: number,
): Promise<RunHead[]> {
  return runs(db, tenantId)
    .select(HEAD)
    .where('set_id', '=', setId)
    .where('ceiling', 'in', [...ceilings])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findRun(db: Queries, tenantId: string, setId: string, id: string): Promise<JudgedRunRow | null> {
  const run = runs(db, tenantId).selectAll().where('set_id', '=', setId).where('id', '=', id)
  return (await run.executeTakeFirst()) ?? null
}

/** Tells whether a run of the tenant goes on: one that noted its progress since a time. */
export async function isRunning(db: Queries, tenantId: string, sinceMs: number): Promise<boolean> {
  const run = runs(db, tenantId).select('id').where('state', '=', 'running').where('renewed_at', '>', sinceMs)
  return (await run.limit(1).executeTakeFirst()) !== undefined
}

export async function insertRun(tx: Queries, row: JudgedRunRow): Promise<void> {
  await tx.insertInto('judged_runs').values(row).execute()
}

/** Notes the progress or the results of a run. Nothing happens when its set was deleted meanwhile. */
export async function changeRun(
  tx: Queries,
  { tenant_id, id }: Pick<JudgedRunRow, 'tenant_id' | 'id'>,
  change: Partial<Omit<JudgedRunRow, 'tenant_id' | 'id'>>,
): Promise<void> {
  await tx.updateTable('judged_runs').set(change).where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

/** Deletes the runs of a set except its newest `count`. */
export async function forgetRuns(tx: Queries, tenantId: string, setId: string, count: number): Promise<void> {
  const last = await runs(tx, tenantId)
    .select('id')
    .where('set_id', '=', setId)
    .orderBy('id', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  await tx
    .deleteFrom('judged_runs')
    .where('tenant_id', '=', tenantId)
    .where('set_id', '=', setId)
    .where('id', '<=', last.id)
    .execute()
}
