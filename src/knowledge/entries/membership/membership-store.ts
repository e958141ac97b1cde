import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import { inChunks } from '../../../platform/database/chunks.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { Portable } from '../../../platform/database/portable.ts'
import { filterVisible } from '../visibility/visible-store.ts'

/** Kinds of sets that have entries as members. */
export type EntrySetKind = 'project' | 'site'

/** One project, or one site. */
export interface EntrySet {
  readonly kind: EntrySetKind
  readonly id: string
}

/** Returns the membership table of a kind. Both tables have the same shape, so they are typed as one. */
const tableOf = (kind: EntrySetKind) => `${kind}_entries` as 'project_entries'
const columnOf = (kind: EntrySetKind) => `${kind}_id` as 'project_id'

/** Memberships that one statement reads. */
const STEP = 500

/** Yields ids of all entries of the set, in order, a step at a time, whatever their visibility. */
async function* steps(db: Queries, tenantId: string, { kind, id }: EntrySet): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom(tableOf(kind))
      .select('entry_id')
      .where('tenant_id', '=', tenantId)
      .where(columnOf(kind), '=', id)
      .where('entry_id', '>', after)
      .orderBy('entry_id')
      .limit(STEP)
      .execute()
    if (rows.length > 0) yield rows.map((row) => row.entry_id)
    if (rows.length < STEP) return
    after = rows[rows.length - 1].entry_id
  }
}

/**
 * Returns the ids of the entries of the set that the caller may see.
 * @param among looks for these ids alone, since the set may be far larger; absent for the whole set
 */
export async function visibleEntryIds(
  db: Queries,
  caller: Caller,
  entrySet: EntrySet,
  among?: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  if (among === undefined) {
    for await (const some of steps(db, caller.tenant.id, entrySet)) ids.push(...(await filterVisible(db, caller, some)))
    return ids
  }
  await inChunks(among, async (some) => {
    const rows = await db
      .selectFrom(tableOf(entrySet.kind))
      .select('entry_id')
      .where('tenant_id', '=', caller.tenant.id)
      .where(columnOf(entrySet.kind), '=', entrySet.id)
      .where('entry_id', 'in', some)
      .execute()
    // Always the same statements, so that timing does not tell an invisible entry from one that does not exist.
    const visible = await filterVisible(db, caller, some)
    ids.push(...rows.flatMap((row) => (visible.has(row.entry_id) ? row.entry_id : [])))
  })
  return ids
}

/** Counts the entries of the set that the caller may see. */
export async function countVisibleEntries(db: Queries, caller: Caller, entrySet: EntrySet): Promise<number> {
  let count = 0
  for await (const some of steps(db, caller.tenant.id, entrySet)) count += (await filterVisible(db, caller, some)).size
  return count
}

/** Removes all entries from the set, a step at a time. @param onStep gets the ids of a step before they are removed */
export async function clearSet(
  tx: Queries,
  tenantId: string,
  entrySet: EntrySet,
  onStep: (entryIds: readonly string[]) => Promise<void>,
): Promise<void> {
  for await (const some of steps(tx, tenantId, entrySet)) {
    await onStep(some)
    await removeEntries(tx, tenantId, entrySet, some)
  }
}

/** Adds entries to the set; the others stay. */
export async function addEntries(
  tx: Queries,
  tenantId: string,
  { kind, id }: EntrySet,
  entryIds: readonly string[],
): Promise<void> {
  if (entryIds.length === 0) return
  const named = { tenant_id: tenantId, [columnOf(kind)]: id }
  await tx
    .insertInto(tableOf(kind))
    .values(entryIds.map((entryId) => ({ ...named, entry_id: entryId })))
    .onConflict((c) => c.doNothing())
    .execute()
}

/** Removes entries from the set. */
export async function removeEntries(
  tx: Queries,
  tenantId: string,
  { kind, id }: EntrySet,
  entryIds: readonly string[],
): Promise<void> {
  await inChunks(entryIds, (some) =>
    tx
      .deleteFrom(tableOf(kind))
      .where('tenant_id', '=', tenantId)
      .where(columnOf(kind), '=', id)
      .where('entry_id', 'in', some)
      .execute(),
  )
}

/** Returns by entry id the ids of the projects or sites of the entry, in order; entries in none are absent. */
export async function membershipsOf(
  db: Queries,
  kind: EntrySetKind,
  tenantId: string,
  entryIds: readonly string[],
): Promise<Map<string, string[]>> {
  const sets = new Map<string, string[]>()
  if (entryIds.length === 0) return sets
  const rows = await db
    .selectFrom(tableOf(kind))
    .select([`${columnOf(kind)} as id`, 'entry_id'])
    .where('tenant_id', '=', tenantId)
    .where('entry_id', 'in', [...entryIds])
    .orderBy(columnOf(kind))
    .execute()
  for (const { id, entry_id: entryId } of rows) {
    const ids = sets.get(entryId)
    if (ids === undefined) sets.set(entryId, [id])
    else ids.push(id)
  }
  return sets
}

/** Returns the select list of the project and site ids of an entry `d`, separated by commas; null for none. */
export function joinedMemberships(portable: Portable): RawBuilder<unknown> {
  const idsOf = (kind: EntrySetKind) => sql`(
    select ${portable.joinText(sql.ref(`m.${kind}_id`))} from ${sql.table(tableOf(kind))} as m
    where m.tenant_id = d.tenant_id and m.entry_id = d.id)`
  return sql`${idsOf('project')} as projects, ${idsOf('site')} as sites`
}
