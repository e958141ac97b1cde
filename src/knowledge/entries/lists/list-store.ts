import { type SelectQueryBuilder, sql } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { pageOf, readPieces, textBytes } from '../../../platform/database/page.ts'
import type { EntryRow, Tables } from '../../../platform/database/tables.ts'
import { inRange, type ListPosition, type Range, rangesOf } from '../../../platform/database/walk.ts'
import { findSource, type Source, type SourceFilters } from './list-source.ts'
import { TEXTS } from '../store.ts'
import { visibleRows } from '../search/visible-rows.ts'
import { findVisibleEntries } from '../search/visible-store.ts'

export interface EntryFilters extends SourceFilters {
  readonly type?: string
  readonly visibility?: string
  readonly layer?: string
  readonly language?: string
  /** Leaves out this one. */
  readonly notId?: string
  /** Leaves out what expired at or before this time; null keeps everything. */
  readonly notExpiredAt: number | null
}

/** What a list knows of a row before it reads it. */
interface Listed {
  readonly id: string
  readonly created_at: number
  /** Of its text as it is stored, in UTF-8. */
  readonly bytes: number
}

/**
 * What the caller may see of what the filters name, newest first, from after `after` on. A page ends by its limit
 * or by its bytes; lengths are looked at first, so that what does not fit is not read. No statement looks at more than
 * a few thousand rows, however many are left out.
 * @returns the rows, and where the next page begins; null after the last one
 */
export async function listEntries(
  database: Database,
  caller: Caller,
  filters: EntryFilters,
  { limit, after }: { limit: number; after: ListPosition | null },
): Promise<{ rows: EntryRow[]; next: ListPosition | null }> {
  const listed: Listed[] = []
  const source = await findSource(database, caller.tenant.id, filters)
  for await (const range of walk(database, caller, source, after, limit + 1)) {
    const some = await rowsIn(database, caller, filters, source, range)
      .select(['entries.id', 'entries.created_at', textBytes(TEXTS.map((name) => `entries.${name}`)).as('bytes')])
      .orderBy('entries.created_at', 'desc')
      .orderBy('entries.id', 'desc')
      .limit(limit + 1 - listed.length)
      .execute()
    listed.push(...some)
    if (listed.length > limit) break
  }
  const page = pageOf(listed, limit)
  const byId = new Map<string, EntryRow>()
  await readPieces(caller.tenant.id, page, async (ids) => {
    for (const row of await findVisibleEntries(database.queries, caller, ids)) byId.set(row.id, row)
  })
  const last = page.at(-1)
  return {
    rows: page.flatMap(({ id }) => byId.get(id) ?? []),
    next: listed.length > page.length && last !== undefined ? { createdAt: last.created_at, id: last.id } : null,
  }
}

/** How many entries the caller may see of what the filters name. */
export async function countEntries(database: Database, caller: Caller, filters: EntryFilters): Promise<number> {
  let total = 0
  const source = await findSource(database, caller.tenant.id, filters)
  for await (const range of walk(database, caller, source, null)) {
    const row = await rowsIn(database, caller, filters, source, range)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    total += row.count
  }
  return total
}

function walk(
  { portable }: Database,
  { tenant }: Caller,
  source: Source,
  after: ListPosition | null,
  first?: number,
): AsyncGenerator<Range> {
  return rangesOf({ owner: tenant.id, dialect: portable.name, after, first, endOf: source.endOf })
}

/** The visible rows of one range of the source that pass the filters. */
function rowsIn(
  { queries, portable }: Database,
  caller: Caller,
  filters: EntryFilters,
  source: Source,
  range: Range,
): SelectQueryBuilder<Tables, 'entries', object> {
  const keys = source.keysIn(range)
  const from =
    keys === null
      ? queries.selectFrom('entries').where(inRange('entries.created_at', 'entries.id', range))
      : queries
          .selectFrom(keys)
          // SQLite keeps the order of a cross join: the other way round it would look at every entry for each key.
          .crossJoin('entries')
          .whereRef('entries.created_at', '=', 'k.created_at')
          .where((eb) => portable.isSameId(eb.ref('entries.id'), eb.ref('k.id')))
  let query = (from as SelectQueryBuilder<Tables, 'entries', object>)
    .where('entries.tenant_id', '=', caller.tenant.id)
    .where((eb) => visibleRows(eb, caller))
  const equal = {
    category_id: filters.categoryId,
    type: filters.type,
    visibility: filters.visibility,
    layer: filters.layer,
    language: filters.language,
  }
  for (const [column, value] of Object.entries(equal)) {
    if (value !== undefined) query = query.where(`entries.${column}` as 'entries.type', '=', value)
  }
  const { notId, notExpiredAt } = filters
  if (notId !== undefined) query = query.where('entries.id', '!=', notId)
  for (const entrySet of source.unsettled) {
    const named = { column: sql.ref(`g.${entrySet.kind}_id`), table: sql.table(`${entrySet.kind}_entries`) }
    query = query.where(
      sql<boolean>`exists (select 1 from ${named.table} as g where g.tenant_id = entries.tenant_id
        and ${named.column} = ${entrySet.id} and g.entry_id = entries.id)`,
    )
  }
  if (notExpiredAt !== null)
    query = query.where((eb) =>
      eb.or([eb('entries.expires_at', 'is', null), eb('entries.expires_at', '>', notExpiredAt)]),
    )
  return query
}
