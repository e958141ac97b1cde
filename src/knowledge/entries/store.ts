import { sql } from 'kysely'
import { inChunks } from '../../platform/database/chunks.ts'
import type { Queries } from '../../platform/database/database.ts'
import { textBytes } from '../../platform/database/page.ts'
import type { Portable } from '../../platform/database/portable.ts'
import type { EntryRow, EntryVersionRow } from '../../platform/database/tables.ts'
import { dropJobsOf } from '../../embedding/rules.ts'
import { ENTRY_EMBEDDING } from './indexing/entry-embedding.ts'
import { deleteTags, insertTags, replaceTags } from './lists/tag-store.ts'

export async function findEntry(db: Queries, tenantId: string, id: string): Promise<EntryRow | null> {
  return (
    (await db
      .selectFrom('entries')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst()) ?? null
  )
}

/** Returns the entries of the ids that exist, in no particular order. */
export async function findEntries(db: Queries, tenantId: string, ids: readonly string[]): Promise<EntryRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
}

type TitleRow = Pick<EntryRow, 'id' | 'title' | 'visibility' | 'workspace_id' | 'created_by_user_id'>

/** Returns titles of the ids that exist, with the columns that decide who sees them, in no particular order. */
export async function findTitles(db: Queries, tenantId: string, ids: readonly string[]): Promise<TitleRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('entries')
    .select(['id', 'title', 'visibility', 'workspace_id', 'created_by_user_id'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
}

/** Returns columns of the ids that exist, in no particular order. */
export async function findEntryColumns(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
  columns: readonly (keyof EntryRow)[],
): Promise<Partial<EntryRow>[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('entries')
    .select([...columns])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
}

/** Returns the first `length` code points of contents by id; unknown ids are absent. */
export async function findBeginnings(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
  length: number,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('entries')
    .select(['id', sql<string>`substr(content, 1, ${sql.lit(length)})`.as('beginning')])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.beginning]))
}

/** Returns part of a content, empty after its end. `start` and `length` count code points. */
export async function findContentPart(
  db: Queries,
  tenantId: string,
  id: string,
  { start, length }: { readonly start: number; readonly length: number },
): Promise<string> {
  const row = await db
    .selectFrom('entries')
    .select(sql<string>`substr(content, ${sql.lit(start + 1)}, ${sql.lit(length)})`.as('part'))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.part ?? ''
}

/**
 * Returns the bytes of stored text by id, without reading the text. Unknown ids are absent.
 * @param columns columns whose bytes count
 */
export async function entryBytes(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
  columns: readonly string[] = TEXTS,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('entries')
    .select(['id', textBytes(columns).as('bytes')])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.bytes]))
}

/** Returns the number (`seq`) of each entry's newest change by id; unknown ids are absent. */
export async function numbersOf(db: Queries, tenantId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('entries')
    .select(['id', 'seq'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, seq }) => [id, seq]))
}

/**
 * Lists imported entries whose source reference begins with `prefix`, in the order of their references. Private notes
 * are left out, because an import does not change them.
 * @param prefix ends with `/`
 */
export async function importedBelow(
  db: Queries,
  tenantId: string,
  prefix: string,
): Promise<{ id: string; source_reference: string }[]> {
  // Keys compare byte by byte and `0` follows `/`, so this is the range of everything that begins with the prefix.
  const end = `${prefix.slice(0, -1)}0`
  const rows = await db
    .selectFrom('entries')
    .select(['id', 'source_reference'])
    .where('tenant_id', '=', tenantId)
    .where('source_reference', '>=', prefix)
    .where('source_reference', '<', end)
    .where('source', '=', 'import')
    .where('visibility', '!=', 'personal')
    .orderBy('source_reference')
    .execute()
  // The range excludes null references.
  return rows as { id: string; source_reference: string }[]
}

/** Columns of an entry that may be long. */
export const TEXTS = ['title', 'content', 'summary', 'tags', 'search_keywords', 'metadata', 'related_themes']

/** Stores a new entry with its tags. */
export async function insertEntry(tx: Queries, portable: Portable, row: EntryRow): Promise<void> {
  await tx.insertInto('entries').values(row).execute()
  await insertTags(tx, portable, row)
  await tx
    .deleteFrom('entry_tombstones')
    .where('tenant_id', '=', row.tenant_id)
    .where('entry_id', '=', row.id)
    .execute()
}

/** Replaces the stored entry `before` by `row`, with its tags. */
export async function replaceEntry(tx: Queries, portable: Portable, before: EntryRow, row: EntryRow): Promise<void> {
  const { tenant_id: tenantId, id, ...columns } = row
  await tx.updateTable('entries').set(columns).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  await replaceTags(tx, portable, before, row)
}

/** Removes entries with their tags, versions, vectors and memberships, and leaves tombstones for the indexes. */
export async function removeEntries(
  tx: Queries,
  portable: Portable,
  tenantId: string,
  ids: readonly string[],
  seq: number,
): Promise<void> {
  const rows = await tx
    .deleteFrom('entries')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .returning(['tenant_id', 'id', 'created_at', 'tags'])
    .execute()
  for (const row of rows) await deleteTags(tx, portable, row)
  await dropJobsOf(tx, tenantId, ENTRY_EMBEDDING.name, ids)
  await tx
    .insertInto('entry_tombstones')
    .values(ids.map((id) => ({ tenant_id: tenantId, entry_id: id, seq })))
    .execute()
}

/** Numbers entries as changed, so that search reads them again, such as after a change of membership. */
export async function touchEntries(tx: Queries, tenantId: string, ids: readonly string[], seq: number): Promise<void> {
  await inChunks(ids, (some) =>
    tx.updateTable('entries').set({ seq }).where('tenant_id', '=', tenantId).where('id', 'in', some).execute(),
  )
}

export async function insertVersion(tx: Queries, row: EntryVersionRow): Promise<void> {
  await tx.insertInto('entry_versions').values(row).execute()
}

/** Returns a page of all entries of the tenant, by id. */
export async function entriesAfter(db: Queries, tenantId: string, afterId: string, limit: number): Promise<EntryRow[]> {
  return db
    .selectFrom('entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns a page of an entry's earlier versions, oldest first. */
export async function versionsAfter(
  db: Queries,
  tenantId: string,
  entryId: string,
  afterVersion: number,
  limit: number,
): Promise<EntryVersionRow[]> {
  return db
    .selectFrom('entry_versions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('entry_id', '=', entryId)
    .where('version', '>', afterVersion)
    .orderBy('version')
    .limit(limit)
    .execute()
}

export async function findVersion(
  db: Queries,
  tenantId: string,
  entryId: string,
  version: number,
): Promise<EntryVersionRow | null> {
  const row = await db
    .selectFrom('entry_versions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('entry_id', '=', entryId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row ?? null
}
