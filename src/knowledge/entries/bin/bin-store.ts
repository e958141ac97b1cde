import { sql } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { parseList } from '../../../platform/database/json-text.ts'
import { pageOf, type PageOf, textBytes } from '../../../platform/database/page.ts'
import type { Portable } from '../../../platform/database/portable.ts'
import { ofWorkingTenant } from '../../../platform/database/working-tenants.ts'
import type { BinnedEntryRow, EntryRow } from '../../../platform/database/tables.ts'
import { inRange, type ListPosition, type Range } from '../../../platform/database/walk.ts'
import { readWalkedPage, type WalkedPage } from '../../../platform/database/walked-list.ts'
import { UNBOUND_OFFER } from '../prompts/offer.ts'
import { addEntries, type EntrySetKind, membershipsOf } from '../membership/membership-store.ts'
import { visibleBinned } from '../visibility/visible-rows-store.ts'

/** Deleted entry without its text and memberships. */
export type BinnedHead = Omit<BinnedEntryRow, 'entry' | 'projects' | 'sites'>

const HEAD = [
  'tenant_id',
  'id',
  'visibility',
  'workspace_id',
  'created_by_user_id',
  'deleted_at',
  'purge_at',
  'deleted_by_user_id',
  'type',
  'title',
  'category_id',
  'language',
  'source',
  'source_reference',
  'version',
] as const satisfies readonly (keyof BinnedHead)[]

const VERSION = [
  'tenant_id',
  'entry_id',
  'version',
  'visibility',
  'workspace_id',
  'title',
  'snapshot',
  'updated_at',
] as const

/** Time of a deletion, time when the entries are deleted for good, and the user who deleted them. */
interface Deletion {
  readonly deletedAt: number
  readonly purgeAt: number
  readonly userId: string | null
}

/** Copies entries of one tenant into the bin, with their versions and memberships. */
export async function copyToBin(tx: Queries, rows: readonly EntryRow[], deletion: Deletion): Promise<void> {
  if (rows.length === 0) return
  const tenantId = rows[0].tenant_id
  const ids = rows.map((row) => row.id)
  const projects = await membershipsOf(tx, 'project', tenantId, ids)
  const sites = await membershipsOf(tx, 'site', tenantId, ids)
  const binned = rows.map((row): BinnedEntryRow => ({
    tenant_id: tenantId,
    id: row.id,
    visibility: row.visibility,
    workspace_id: row.workspace_id,
    created_by_user_id: row.created_by_user_id,
    deleted_at: deletion.deletedAt,
    purge_at: deletion.purgeAt,
    deleted_by_user_id: deletion.userId,
    type: row.type,
    title: row.title,
    category_id: row.category_id,
    language: row.language,
    source: row.source,
    source_reference: row.source_reference,
    version: row.version,
    projects: JSON.stringify(projects.get(row.id) ?? []),
    sites: JSON.stringify(sites.get(row.id) ?? []),
    entry: JSON.stringify(row),
  }))
  await tx.insertInto('binned_entries').values(binned).execute()
  await tx
    .insertInto('binned_entry_versions')
    .columns([...VERSION])
    .expression(
      tx
        .selectFrom('entry_versions')
        .select([...VERSION])
        .where('tenant_id', '=', tenantId)
        .where('entry_id', 'in', ids),
    )
    .execute()
}

/** Returns the deleted entry if the caller may see it, else null. */
export async function findBinned(db: Queries, caller: Caller, id: string): Promise<BinnedHead | null> {
  const row = await db
    .selectFrom('binned_entries')
    .select([...HEAD])
    .where('tenant_id', '=', caller.tenant.id)
    .where('id', '=', id)
    .where((eb) => visibleBinned(eb, caller))
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the id of the entry with the type and reference that was deleted last, among those that the caller may see;
 * null when there is none. Private notes do not count.
 */
export async function findBinnedBySourceReference(
  db: Queries,
  caller: Caller,
  reference: string,
  type: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('binned_entries')
    .select('id')
    .where('tenant_id', '=', caller.tenant.id)
    .where('source_reference', '=', reference)
    .where('type', '=', type)
    .where('visibility', '!=', 'personal')
    .where((eb) => visibleBinned(eb, caller))
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns those of the references that entries in the bin have. One statement serves a whole batch. */
export async function binnedReferences(
  db: Queries,
  portable: Portable,
  tenantId: string,
  references: readonly string[],
): Promise<Set<string>> {
  if (references.length === 0) return new Set()
  const rows = await db
    .selectFrom('binned_entries')
    .select('source_reference')
    .where('tenant_id', '=', tenantId)
    .where((eb) => portable.isOneOf(eb.ref('source_reference'), references))
    .execute()
  return new Set(rows.flatMap(({ source_reference: reference }) => reference ?? []))
}

/** Returns a page of the visible deleted entries, the last deleted first. */
export function listBinned(
  { queries, portable }: Database,
  caller: Caller,
  page: PageOf<ListPosition>,
): Promise<WalkedPage<BinnedHead>> {
  const tenantId = caller.tenant.id
  const within = (range: Range) =>
    queries
      .selectFrom('binned_entries')
      .where('tenant_id', '=', tenantId)
      .where(inRange('deleted_at', 'id', range))
  const list = {
    owner: tenantId,
    dialect: portable.name,
    // Returns the position of the row that comes `rows` rows after `after`. A walk calls its sort key `createdAt`.
    async endOf(after: ListPosition | null, rows: number): Promise<ListPosition | null> {
      const end = await within({ after, end: null })
        .select(['deleted_at', 'id'])
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .offset(rows - 1)
        .executeTakeFirst()
      return end === undefined ? null : { createdAt: end.deleted_at, id: end.id }
    },
  }
  return readWalkedPage(list, page, {
    sizesIn: (range, limit) =>
      within(range)
        .where((eb) => visibleBinned(eb, caller))
        .select(['id', 'deleted_at as created_at', textBytes(['title', 'source_reference']).as('bytes')])
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    rowsOf: (ids) =>
      queries
        .selectFrom('binned_entries')
        .select([...HEAD])
        .where('tenant_id', '=', tenantId)
        .where('id', 'in', [...ids])
        .where((eb) => visibleBinned(eb, caller))
        .execute(),
  })
}

/** Returns the row that a deleted entry had; null when it is not in the bin. */
export async function findBinnedEntry(db: Queries, tenantId: string, id: string): Promise<EntryRow | null> {
  const row = await db
    .selectFrom('binned_entries')
    .select('entry')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  // What was deleted before there was a scope for prompts lacks its columns.
  return row === undefined ? null : { ...UNBOUND_OFFER, ...(JSON.parse(row.entry) as EntryRow) }
}

/**
 * Completes the return of an entry from the bin, once its row is stored again: gives it back its versions, and its
 * memberships in projects and sites that still exist, and removes it from the bin.
 */
export async function takeOut(tx: Queries, portable: Portable, tenantId: string, id: string): Promise<void> {
  await tx
    .insertInto('entry_versions')
    .columns([...VERSION])
    .expression(
      tx
        .selectFrom('binned_entry_versions')
        .select([...VERSION])
        .where('tenant_id', '=', tenantId)
        .where('entry_id', '=', id),
    )
    .execute()
  // The versions in the bin go with the entry (on delete cascade).
  const binned = await tx
    .deleteFrom('binned_entries')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(['projects', 'sites'])
    .executeTakeFirstOrThrow()
  await addTo(tx, portable, tenantId, 'project', parseList(binned.projects), id)
  await addTo(tx, portable, tenantId, 'site', parseList(binned.sites), id)
}

async function addTo(
  tx: Queries,
  portable: Portable,
  tenantId: string,
  kind: EntrySetKind,
  ids: readonly string[],
  entryId: string,
): Promise<void> {
  if (ids.length === 0) return
  const existingSets = await tx
    .selectFrom(kind === 'project' ? 'projects' : 'sites')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where((eb) => portable.isOneOf(eb.ref('id'), ids))
    .execute()
  for (const { id } of existingSets) await addEntries(tx, tenantId, { kind, id }, [entryId])
}

/** Deletes entries in the bin for good, with their versions (on delete cascade). @returns ids of the deleted entries */
export async function purge(tx: Queries, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('binned_entries')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Most entries and bytes of text that one transaction of the sweeper deletes, so that other writers wait briefly. */
const SWEEP = { entries: 100, bytes: 4 * 1_024 * 1_024 }

/**
 * Returns the next entries whose time in the bin was over at `now`: of one tenant, the oldest first, as many as one
 * transaction should delete; null when there are none.
 */
export async function findDue(db: Queries, now: number): Promise<{ tenantId: string; ids: string[] } | null> {
  const versionBytes = sql<number>`coalesce((
    select sum(octet_length(v.snapshot)) from binned_entry_versions as v
    where v.tenant_id = binned_entries.tenant_id and v.entry_id = binned_entries.id), 0)`
  const due = await db
    .selectFrom('binned_entries')
    .select(['tenant_id', 'id', sql<number>`${textBytes(['entry'])} + ${versionBytes}`.as('bytes')])
    .where('purge_at', '<=', now)
    .where(ofWorkingTenant())
    .orderBy('purge_at')
    .limit(SWEEP.entries)
    .execute()
  if (due.length === 0) return null
  const tenantId = due[0].tenant_id
  const step = pageOf(
    due.filter((row) => row.tenant_id === tenantId),
    SWEEP.entries,
    SWEEP.bytes,
  )
  return { tenantId, ids: step.map(({ id }) => id) }
}
