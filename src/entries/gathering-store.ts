import type { Caller } from '../access/caller.ts'
import { inChunks } from '../database/chunks.ts'
import type { Queries } from '../database/database.ts'
import { visibleRows } from './visible-rows.ts'

/** What gathers entries. */
export type GatheringKind = 'project' | 'site'

/** One project, or one site. */
export interface Gathering {
  readonly kind: GatheringKind
  readonly id: string
}

/** The table of the entries that are gathered; those of both kinds are alike but for their names, and typed as one. */
const tableOf = (kind: GatheringKind) => `${kind}_entries` as 'project_entries'
const columnOf = (kind: GatheringKind) => `${kind}_id` as 'project_id'

function visibleEntries(db: Queries, caller: Caller, { kind, id }: Gathering) {
  return db
    .selectFrom('entries')
    .innerJoin(`${tableOf(kind)} as g`, (join) =>
      join.onRef('g.tenant_id', '=', 'entries.tenant_id').onRef('g.entry_id', '=', 'entries.id'),
    )
    .where('entries.tenant_id', '=', caller.tenant.id)
    .where(`g.${columnOf(kind)}`, '=', id)
    .where((eb) => visibleRows(eb as never, caller))
}

/**
 * Ids of the entries in there that the caller may see.
 * @param among to look for these alone, no more than one statement can name: there may be far more in there
 */
export async function visibleEntryIds(
  db: Queries,
  caller: Caller,
  gathering: Gathering,
  among?: readonly string[],
): Promise<string[]> {
  const all = visibleEntries(db, caller, gathering).select('entries.id')
  const rows = await (among === undefined ? all : all.where('entries.id', 'in', [...among])).execute()
  return rows.map((row) => row.id)
}

/** How many entries in there the caller may see. */
export async function countVisibleEntries(db: Queries, caller: Caller, gathering: Gathering): Promise<number> {
  const row = await visibleEntries(db, caller, gathering)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Puts entries in; those that are in there stay. */
export async function addEntries(
  tx: Queries,
  tenantId: string,
  { kind, id }: Gathering,
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
  { kind, id }: Gathering,
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
export async function gatheringsOf(
  db: Queries,
  kind: GatheringKind,
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
