import type { Expression, ExpressionBuilder, ReferenceExpression, SqlBool } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import { inChunks } from '../../../platform/database/chunks.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { EntryRow, EntryVersionRow, Tables } from '../../../platform/database/tables.ts'
import { visibleRows, visibleVersions } from './visible-rows-store.ts'

/** Returns the visible entries of the ids, in no particular order. */
export async function findVisibleEntries(db: Queries, caller: Caller, ids: readonly string[]): Promise<EntryRow[]> {
  const rows: EntryRow[] = []
  await inChunks(ids, async (some) => {
    const visible = await db
      .selectFrom('entries')
      .selectAll()
      .where('tenant_id', '=', caller.tenant.id)
      .where('id', 'in', some)
      .where((eb) => visibleRows(eb, caller))
      .execute()
    rows.push(...visible)
  })
  return rows
}

/** Returns the entry if the caller may see it, else null. An index decides this before the row is read. */
export async function findVisibleEntry(db: Queries, caller: Caller, id: string): Promise<EntryRow | null> {
  const row = await db
    .selectFrom('entries')
    .selectAll()
    .where('tenant_id', '=', caller.tenant.id)
    .where(
      'id',
      '=',
      visibleIds(db, caller).where((eb) => only(eb, 'id', id)),
    )
    .executeTakeFirst()
  return row ?? null
}

/** Returns those of the ids whose entries the caller may see. */
export async function filterVisible(db: Queries, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
  const visible = new Set<string>()
  await inChunks(ids, async (some) => {
    const rows = await visibleIds(db, caller)
      .where((eb) => (some.length === 1 ? only(eb, 'id', some[0]) : eb('id', 'in', some)))
      .execute()
    for (const { id } of rows) visible.add(id)
  })
  return visible
}

/** Columns that decide whether an input may change an entry. Reading them does not read the entry's text. */
export type EntryHead = Pick<EntryRow, 'id' | 'type' | 'visibility' | 'workspace_id' | 'created_by_user_id'>

/** Columns that decide who sees an entry. An index contains them. */
const GUARD = ['visibility', 'workspace_id', 'created_by_user_id'] as const
/** SQLite reads the table for the type alone, which comes before the long texts in a row; the rest comes after. */
const HEAD = [
  'visible.id',
  'entries.type',
  'visible.visibility',
  'visible.workspace_id',
  'visible.created_by_user_id',
] as const

/** Returns the head of the entry if the caller may see the entry, else null. */
export async function findVisibleHead(db: Queries, caller: Caller, id: string): Promise<EntryHead | null> {
  const visible = visibleIds(db, caller)
    .select([...GUARD])
    .where((eb) => only(eb, 'id', id))
    // The limit makes SQLite answer this part alone, from the index. Merged into the join, it would read the row.
    .limit(1)
  const row = await db
    .selectFrom(visible.as('visible'))
    .innerJoin('entries', (join) =>
      join.on('entries.tenant_id', '=', caller.tenant.id).onRef('entries.id', '=', 'visible.id'),
    )
    .select([...HEAD])
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the head of the oldest visible entry with the reference that is not a private note.
 * @param type type of the entry; null for any type
 */
export async function findHeadBySourceReference(
  db: Queries,
  caller: Caller,
  reference: string,
  type: string | null,
): Promise<EntryHead | null> {
  const visible = visibleIds(db, caller)
    .select([...GUARD, 'created_at'])
    .where('source_reference', '=', reference)
    .where('visibility', '!=', 'personal')
  const heads = db
    .selectFrom(visible.as('visible'))
    .innerJoin('entries', (join) =>
      join.on('entries.tenant_id', '=', caller.tenant.id).onRef('entries.id', '=', 'visible.id'),
    )
    .select([...HEAD])
    .orderBy('visible.created_at')
    .orderBy('visible.id')
    .limit(1)
  const row = await (type === null ? heads : heads.where('entries.type', '=', type)).executeTakeFirst()
  return row ?? null
}

/** Returns ids of the two oldest visible entries with the reference, and with the source if one is named. */
export async function findBySource(
  db: Queries,
  caller: Caller,
  { source_reference: reference, source }: { readonly source_reference: string; readonly source?: string },
): Promise<string[]> {
  const visible = visibleIds(db, caller).select('created_at').where('source_reference', '=', reference)
  const entries = db
    .selectFrom(visible.as('visible'))
    .innerJoin('entries', (join) =>
      join.on('entries.tenant_id', '=', caller.tenant.id).onRef('entries.id', '=', 'visible.id'),
    )
    .select('visible.id')
    .orderBy('visible.created_at')
    .orderBy('visible.id')
    .limit(2)
  const rows = await (source === undefined ? entries : entries.where('entries.source', '=', source)).execute()
  return rows.map(({ id }) => id)
}

/** Earlier version in the list of an entry's versions. */
type VersionHead = Pick<EntryVersionRow, 'version' | 'title' | 'visibility' | 'updated_at'>

/** Lists the visible earlier versions of an entry below number `before`, newest first. */
export async function listVersions(
  db: Queries,
  caller: Caller,
  entry: Pick<EntryRow, 'id' | 'created_by_user_id'>,
  { limit, before }: { limit: number; before: number },
): Promise<VersionHead[]> {
  return db
    .selectFrom('entry_versions')
    .select(['version', 'title', 'visibility', 'updated_at'])
    .where('tenant_id', '=', caller.tenant.id)
    .where('entry_id', '=', entry.id)
    .where('version', '<', before)
    .where((eb) => visibleVersions(eb, caller, entry.created_by_user_id))
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
}

/** Returns an earlier version of an entry as JSON; null when there is none or the caller may not see it. */
export async function findSnapshot(
  db: Queries,
  caller: Caller,
  entry: Pick<EntryRow, 'id' | 'created_by_user_id'>,
  version: number,
): Promise<string | null> {
  const versions = db
    .selectFrom('entry_versions')
    .where('tenant_id', '=', caller.tenant.id)
    .where('entry_id', '=', entry.id)
  const visible = versions
    .select('version')
    .where((eb) => only(eb, 'version', version))
    .where((eb) => visibleVersions(eb, caller, entry.created_by_user_id))
  const row = await versions.select('snapshot').where('version', '=', visible).executeTakeFirst()
  return row?.snapshot ?? null
}

/** Returns the query of visible ids. On SQLite an index answers it by id or source reference, without reading rows. */
function visibleIds(db: Queries, caller: Caller) {
  return db
    .selectFrom('entries')
    .select('id')
    .where('tenant_id', '=', caller.tenant.id)
    .where((eb) => visibleRows(eb, caller))
}

/**
 * Returns equality as a range, so that SQLite uses the index that contains the visibility. For `=` on a whole primary
 * key, SQLite uses the primary key, and then has to read the row.
 */
function only<T extends keyof Tables>(
  eb: ExpressionBuilder<Tables, T>,
  column: ReferenceExpression<Tables, T>,
  value: string | number,
): Expression<SqlBool> {
  // Kysely cannot tell the value's type for a generic column.
  return eb.between(column, value as never, value as never)
}
