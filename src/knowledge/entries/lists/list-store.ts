import { type SelectQueryBuilder, sql } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { pageOf, type PageOf, textBytes } from '../../../platform/database/page.ts'
import { hasValues, isInLanguage } from '../../../platform/database/rows.ts'
import type { EntryRow, Tables } from '../../../platform/database/tables.ts'
import { inRange, type ListPosition, type Range, rangesOf } from '../../../platform/database/walk.ts'
import { countWalked, readWalkedPage, type WalkedPage } from '../../../platform/database/walked-list.ts'
import { findSource, type Source, type SourceFilters } from './list-source-store.ts'
import { TEXTS } from '../store.ts'
import { visibleRows } from '../visibility/visible-rows-store.ts'
import { findVisibleEntries } from '../visibility/visible-store.ts'

export interface EntryFilters extends SourceFilters {
  readonly type?: string
  readonly visibility?: string
  readonly layer?: string
  /** Primary subtag: `de` passes `de-AT` too. */
  readonly language?: string
  readonly source?: string
  /** Leaves out the entry with this id. */
  readonly notId?: string
  /** Leaves out entries that expired at or before this time, in milliseconds since 1970; null for none. */
  readonly notExpiredAt: number | null
  /** Only prompts that are offered to this user, null for a caller without one; absent for no restriction. */
  readonly promptsFor?: string | null
}

const BYTES = textBytes(TEXTS.map((name) => `entries.${name}`)).as('bytes')

/** Returns a page of the visible entries that pass the filters, newest first. */
export async function listEntries(
  database: Database,
  caller: Caller,
  filters: EntryFilters,
  page: PageOf<ListPosition>,
): Promise<WalkedPage<EntryRow>> {
  const source = await findSource(database, caller.tenant.id, filters)
  return readWalkedPage(walkOf(database, caller, source), page, {
    sizesIn: (range, limit) =>
      rowsIn(database, caller, filters, source, range)
        .select(['entries.id', 'entries.created_at', BYTES])
        .orderBy('entries.created_at', 'desc')
        .orderBy('entries.id', 'desc')
        .limit(limit)
        .execute(),
    rowsOf: (ids) => findVisibleEntries(database.queries, caller, ids),
  })
}

/** Id of an entry, and the number of its newest change. */
interface EntryState {
  readonly id: string
  readonly seq: number
}

/**
 * Finds the first visible entries that pass the filters, newest first: at most `limit`, and about 8 MiB of text. An
 * entry whose number is the same later passes the filters still.
 */
export async function findMatching(
  database: Database,
  caller: Caller,
  filters: EntryFilters,
  limit: number,
): Promise<EntryState[]> {
  const source = await findSource(database, caller.tenant.id, filters)
  const entries: (EntryState & { readonly bytes: number })[] = []
  for await (const range of rangesOf({ ...walkOf(database, caller, source), after: null, first: limit })) {
    const rows = await rowsIn(database, caller, filters, source, range)
      .select(['entries.id', 'entries.seq', BYTES])
      .orderBy('entries.created_at', 'desc')
      .orderBy('entries.id', 'desc')
      .limit(limit - entries.length)
      .execute()
    entries.push(...rows)
    if (entries.length === limit) break
  }
  return pageOf(entries, limit)
}

/** Counts the visible entries that pass the filters. */
export async function countEntries(database: Database, caller: Caller, filters: EntryFilters): Promise<number> {
  const source = await findSource(database, caller.tenant.id, filters)
  return countWalked(walkOf(database, caller, source), async (range) => {
    const row = await rowsIn(database, caller, filters, source, range)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return row.count
  })
}

/** Counts, by category, the visible entries that pass the filters; categories without any are absent. */
export async function countByCategory(
  database: Database,
  caller: Caller,
  filters: EntryFilters,
): Promise<Map<string, number>> {
  const source = await findSource(database, caller.tenant.id, filters)
  const counts = new Map<string, number>()
  for await (const range of rangesOf({ ...walkOf(database, caller, source), after: null })) {
    const rows = await rowsIn(database, caller, filters, source, range)
      .select((eb) => ['entries.category_id', eb.fn.countAll<number>().as('count')])
      .groupBy('entries.category_id')
      .execute()
    for (const { category_id: id, count } of rows) counts.set(id, (counts.get(id) ?? 0) + count)
  }
  return counts
}

function walkOf({ portable }: Database, { tenant }: Caller, { endOf }: Source) {
  return { owner: tenant.id, dialect: portable.name, endOf }
}

/** Returns the query of the visible rows of one range of the source that pass the filters. */
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
          // SQLite keeps the order of a cross join. In the other order it would read every entry for each key.
          .crossJoin('entries')
          .whereRef('entries.created_at', '=', 'k.created_at')
          .where((eb) => portable.isSameId(eb.ref('entries.id'), eb.ref('k.id')))
  let query = (from as SelectQueryBuilder<Tables, 'entries', object>)
    .where('entries.tenant_id', '=', caller.tenant.id)
    .where((eb) => visibleRows(eb, caller))
  const { type, visibility, layer, language, notId, notExpiredAt } = filters
  const values = { category_id: filters.categoryId, type, visibility, layer, source: filters.source }
  query = query.where(hasValues('entries', { ...values, source_reference: filters.sourceReference }))
  if (language !== undefined) query = query.where((eb) => isInLanguage(eb.ref('entries.language'), language))
  if (notId !== undefined) query = query.where('entries.id', '!=', notId)
  const { promptsFor } = filters
  if (promptsFor !== undefined) {
    query = query.where((eb) => {
      const isForAll = eb('entries.prompts_others', '=', 1)
      return promptsFor === null ? isForAll : eb.or([isForAll, eb('entries.prompt_author_id', '=', promptsFor)])
    })
  }
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
