import type { Expression, ExpressionBuilder, ReferenceExpression, SqlBool } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import { inChunks } from '../../../platform/database/chunks.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { EntryRow, EntryVersionRow, Tables } from '../../../platform/database/tables.ts'
import { visibleRows, visibleVersions } from './visible-rows-store.ts'

/** Rows of the ids that the caller may see, in no particular order. */
export async function findVisibleEntries(db: Queries, caller: Caller, ids: readonly string[]): Promise<EntryRow[]> {
  const rows: EntryRow[] = []
  await inChunks(ids, async (some) => {
    const found = await db
      .selectFrom('entries')
      .selectAll()
      .where('tenant_id', '=', caller.tenant.id)
      .where('id', 'in', some)
      .where((eb) => visibleRows(eb, caller))
      .execute()
    rows.push(...found)
  })
  return rows
}

/** The entry if the caller may see it, else null. An index decides this before the row is read. */
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

/** The ids whose entries the caller may see. */
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

/** What decides whether an input may change an entry. It is found without reading the entry's text. */
export type EntryHead = Pick<EntryRow, 'id' | 'type' | 'visibility' | 'workspace_id' | 'created_by_user_id'>

/** Columns that an index contains. */
const GUARD = ['visibility', 'workspace_id', 'created_by_user_id'] as const
/** On SQLite the table is read for the type alone: the type comes before the long texts in its row, the rest after. */
const HEAD = ['seen.id', 'entries.type', 'seen.visibility', 'seen.workspace_id', 'seen.created_by_user_id'] as const

/** The head of the entry if the caller may see the entry, else null. */
export async function findVisibleHead(db: Queries, caller: Caller, id: string): Promise<EntryHead | null> {
  const seen = visibleIds(db, caller)
    .select([...GUARD])
    .where((eb) => only(eb, 'id', id))
    // With a limit SQLite answers this by itself, from the index. Joined to the rest, it would read the row.
    .limit(1)
  const row = await db
    .selectFrom(seen.as('seen'))
    .innerJoin('entries', (join) =>
      join.on('entries.tenant_id', '=', caller.tenant.id).onRef('entries.id', '=', 'seen.id'),
    )
    .select([...HEAD])
    .executeTakeFirst()
  return row ?? null
}

/**
 * The head of the first entry with the reference that the caller may see and that is not a private note.
 * @param type of the entry; null for any type
 */
export async function findHeadBySourceReference(
  db: Queries,
  caller: Caller,
  reference: string,
  type: string | null,
): Promise<EntryHead | null> {
  const seen = visibleIds(db, caller)
    .select([...GUARD, 'created_at'])
    .where('source_reference', '=', reference)
    .where('visibility', '!=', 'personal')
  const heads = db
    .selectFrom(seen.as('seen'))
    .innerJoin('entries', (join) =>
      join.on('entries.tenant_id', '=', caller.tenant.id).onRef('entries.id', '=', 'seen.id'),
    )
    .select([...HEAD])
    .orderBy('seen.created_at')
    .orderBy('seen.id')
    .limit(1)
  const row = await (type === null ? heads : heads.where('entries.type', '=', type)).executeTakeFirst()
  return row ?? null
}

/** Ids of the two oldest entries with the reference, and the source if one is named, that the caller may see. */
export async function findBySource(
  db: Queries,
  caller: Caller,
  { source_reference: reference, source }: { readonly source_reference: string; readonly source?: string },
): Promise<string[]> {
  const seen = visibleIds(db, caller).select('created_at').where('source_reference', '=', reference)
  const found = db
    .selectFrom(seen.as('seen'))
    .innerJoin('entries', (join) =>
      join.on('entries.tenant_id', '=', caller.tenant.id).onRef('entries.id', '=', 'seen.id'),
    )
    .select('seen.id')
    .orderBy('seen.created_at')
    .orderBy('seen.id')
    .limit(2)
  const rows = await (source === undefined ? found : found.where('entries.source', '=', source)).execute()
  return rows.map(({ id }) => id)
}

/** An earlier version in the list of an entry's versions. */
type VersionHead = Pick<EntryVersionRow, 'version' | 'title' | 'visibility' | 'updated_at'>

/** Earlier versions of an entry below number `before` that the caller may see, newest first. */
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

/** The entry as it was, as JSON; null when there is no such version or the caller may not see it. */
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

/** Ids of visible entries. On SQLite, an index alone answers this by id or source reference, without reading rows. */
function visibleIds(db: Queries, caller: Caller) {
  return db
    .selectFrom('entries')
    .select('id')
    .where('tenant_id', '=', caller.tenant.id)
    .where((eb) => visibleRows(eb, caller))
}

/**
 * Equality, written as a range so that SQLite uses the index that contains the visibility. For a plain `=` on a whole
 * primary key it uses the primary key, and then has to read the row.
 */
function only<T extends keyof Tables>(
  eb: ExpressionBuilder<Tables, T>,
  column: ReferenceExpression<Tables, T>,
  value: string | number,
): Expression<SqlBool> {
  return eb.between(column, value as never, value as never)
}
