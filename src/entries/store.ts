import type { Caller } from '../access/caller.ts'
import { inChunks } from '../database/chunks.ts'
import type { Database, Queries } from '../database/database.ts'
import { pageOf, textBytes } from '../database/page.ts'
import type { EntryRow, EntryVersionRow } from '../database/tables.ts'
import { visibleRows } from './visible-rows.ts'
import { findVisibleEntries } from './visible-store.ts'

export interface EntryFilters {
  readonly categoryId?: string
  readonly type?: string
  readonly projectId?: string
  readonly siteId?: string
  readonly visibility?: string
  readonly layer?: string
  readonly tags?: readonly string[]
  readonly language?: string
  readonly translationGroupId?: string
  /** Leaves out this one. */
  readonly notId?: string
  /** Leaves out what expired at or before this time; null keeps everything. */
  readonly notExpiredAt: number | null
}

/** Place of an entry in the list, newest first. */
export interface ListPosition {
  readonly createdAt: number
  readonly id: string
}

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

/** Rows of those ids that exist, in no particular order. */
export async function findEntries(db: Queries, tenantId: string, ids: readonly string[]): Promise<EntryRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
}

/** Bytes of stored text of each of the ids that is there, known without reading it. */
export async function entryBytes(db: Queries, tenantId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('entries')
    .select(['id', textBytes(TEXTS).as('bytes')])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.bytes]))
}

/**
 * Imported entries whose source reference begins with `prefix`, in the order of their references;
 * personal ones are their owners' affair.
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
  return rows as { id: string; source_reference: string }[]
}

function visibleEntries(
  { queries, portable }: Pick<Database, 'queries' | 'portable'>,
  caller: Caller,
  filters: EntryFilters,
) {
  let query = queries
    .selectFrom('entries')
    .where('entries.tenant_id', '=', caller.tenant.id)
    .where((eb) => visibleRows(eb, caller))
  if (filters.categoryId !== undefined) query = query.where('category_id', '=', filters.categoryId)
  if (filters.type !== undefined) query = query.where('type', '=', filters.type)
  if (filters.visibility !== undefined) query = query.where('visibility', '=', filters.visibility)
  if (filters.layer !== undefined) query = query.where('layer', '=', filters.layer)
  if (filters.language !== undefined) query = query.where('language', '=', filters.language)
  if (filters.translationGroupId !== undefined)
    query = query.where('translation_group_id', '=', filters.translationGroupId)
  if (filters.notId !== undefined) query = query.where('entries.id', '!=', filters.notId)
  const { tags, projectId, siteId, notExpiredAt } = filters
  if (tags !== undefined && tags.length > 0)
    query = query.where((eb) => portable.jsonArrayOverlaps(eb.ref('entries.tags'), tags))
  if (projectId !== undefined) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('project_entries as p')
          .whereRef('p.tenant_id', '=', 'entries.tenant_id')
          .whereRef('p.entry_id', '=', 'entries.id')
          .where('p.project_id', '=', projectId)
          .select('p.entry_id'),
      ),
    )
  }
  if (siteId !== undefined) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('site_entries as s')
          .whereRef('s.tenant_id', '=', 'entries.tenant_id')
          .whereRef('s.entry_id', '=', 'entries.id')
          .where('s.site_id', '=', siteId)
          .select('s.entry_id'),
      ),
    )
  }
  if (notExpiredAt !== null)
    query = query.where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', notExpiredAt)]))
  return query
}

/** Whatever of an entry may be long. */
const TEXTS = ['title', 'content', 'summary', 'tags', 'search_keywords', 'metadata', 'related_themes']

/**
 * What the caller may see of what the filters name, newest first, from after `after` on. A page ends by its limit
 * or by its bytes; lengths are looked at first, so that what does not fit is not read.
 * @returns the rows, and where the next page begins; null after the last one
 */
export async function listEntries(
  database: Database,
  caller: Caller,
  filters: EntryFilters,
  { limit, after }: { limit: number; after: ListPosition | null },
): Promise<{ rows: EntryRow[]; next: ListPosition | null }> {
  let query = visibleEntries(database, caller, filters)
  if (after !== null) {
    query = query.where((eb) =>
      eb.or([
        eb('created_at', '<', after.createdAt),
        eb('created_at', '=', after.createdAt).and('entries.id', '<', after.id),
      ]),
    )
  }
  const sizes = await query
    .select(['entries.id', 'created_at', textBytes(TEXTS).as('bytes')])
    .orderBy('created_at', 'desc')
    .orderBy('entries.id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = pageOf(sizes, limit)
  const ids = page.map((row) => row.id)
  const byId = new Map((await findVisibleEntries(database.queries, caller, ids)).map((row) => [row.id, row]))
  const last = page.at(-1)
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    next: sizes.length > page.length && last !== undefined ? { createdAt: last.created_at, id: last.id } : null,
  }
}

export async function countEntries(database: Database, caller: Caller, filters: EntryFilters): Promise<number> {
  const row = await visibleEntries(database, caller, filters)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertEntry(tx: Queries, row: EntryRow): Promise<void> {
  await tx.insertInto('entries').values(row).execute()
  await tx
    .deleteFrom('entry_tombstones')
    .where('tenant_id', '=', row.tenant_id)
    .where('entry_id', '=', row.id)
    .execute()
}

export async function replaceEntry(tx: Queries, row: EntryRow): Promise<void> {
  const { tenant_id: tenantId, id, ...columns } = row
  await tx.updateTable('entries').set(columns).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Removes an entry with its versions, vectors and memberships, and leaves a tombstone for the indexes. */
export async function removeEntry(tx: Queries, tenantId: string, id: string, seq: number): Promise<void> {
  await tx.deleteFrom('entries').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  await tx
    .deleteFrom('embedding_jobs')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'entry')
    .where('item_id', '=', id)
    .execute()
  await tx.insertInto('entry_tombstones').values({ tenant_id: tenantId, entry_id: id, seq }).execute()
}

/** Stamps entries as changed for search without changing them for readers, such as when a membership moves. */
export async function touchEntries(tx: Queries, tenantId: string, ids: readonly string[], seq: number): Promise<void> {
  await inChunks(ids, (some) =>
    tx.updateTable('entries').set({ seq }).where('tenant_id', '=', tenantId).where('id', 'in', some).execute(),
  )
}

export async function insertVersion(tx: Queries, row: EntryVersionRow): Promise<void> {
  await tx.insertInto('entry_versions').values(row).execute()
}

/** Every entry of the tenant, a page at a time, by id. */
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

/** Earlier versions of an entry, a page at a time, oldest first. */
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
