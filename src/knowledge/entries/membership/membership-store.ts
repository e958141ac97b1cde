import type { Caller } from '../../../platform/access/caller.ts'
import { inChunks } from '../../../platform/database/chunks.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { filterVisible } from '../visibility/visible-store.ts'

/** What has entries as its members. */
export type EntrySetKind = 'project' | 'site'

/** One project, or one site. */
export interface EntrySet {
  readonly kind: EntrySetKind
  readonly id: string
}

/** The table of the entries that are moved; those of both kinds are alike but for their names, and typed as one. */
const tableOf = (kind: EntrySetKind) => `${kind}_entries` as 'project_entries'
const columnOf = (kind: EntrySetKind) => `${kind}_id` as 'project_id'

/** Entries that one statement looks at. */
const STEP = 500

/** Ids of the entries in there, whoever sees them, in their order, from after one of them on: a step at a time. */
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
 * Ids of the entries in there that the caller may see.
 * @param among to look for these alone: there may be far more in there
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
    // The same statements for what is not in there, is not to be seen and does not exist.
    const visible = await filterVisible(db, caller, some)
    ids.push(...rows.flatMap((row) => (visible.has(row.entry_id) ? row.entry_id : [])))
  })
  return ids
}

/** How many entries in there the caller may see. */
export async function countVisibleEntries(db: Queries, caller: Caller, entrySet: EntrySet): Promise<number> {
  let count = 0
  for await (const some of steps(db, caller.tenant.id, entrySet)) count += (await filterVisible(db, caller, some)).size
  return count
}

/** Takes every entry out, whoever sees it, a step at a time. @param onStep told which, before they are taken out */
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

/** Puts entries in; those that are in there stay. */
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

/** Takes out one entry or several. */
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

/** @returns for each of some entries that are in any, by its id, the ids of those it is in, in their order */
export async function membershipsOf(
  db: Queries,
  kind: EntrySetKind,
  tenantId: string,
  entryIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  if (entryIds.length === 0) return found
  const rows = await db
    .selectFrom(tableOf(kind))
    .select([`${columnOf(kind)} as id`, 'entry_id'])
    .where('tenant_id', '=', tenantId)
    .where('entry_id', 'in', [...entryIds])
    .orderBy(columnOf(kind))
    .execute()
  for (const { id, entry_id: entryId } of rows) {
    const ids = found.get(entryId)
    if (ids === undefined) found.set(entryId, [id])
    else ids.push(id)
  }
  return found
}
