import type { Caller } from '../access/caller.ts'
import { inChunks } from '../database/chunks.ts'
import type { Queries } from '../database/database.ts'
import { visibleRows } from '../entries/visible-rows.ts'

/** Ids of the project's entries that the caller may see. */
export async function visibleEntryIds(db: Queries, caller: Caller, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('entries')
    .innerJoin('project_entries as p', (join) =>
      join.onRef('p.tenant_id', '=', 'entries.tenant_id').onRef('p.entry_id', '=', 'entries.id'),
    )
    .select('entries.id')
    .where('entries.tenant_id', '=', caller.tenant.id)
    .where('p.project_id', '=', projectId)
    .where((eb) => visibleRows(eb as never, caller))
    .execute()
  return rows.map((row) => row.id)
}

export async function addEntries(
  tx: Queries,
  tenantId: string,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insertInto('project_entries')
    .values(ids.map((id) => ({ tenant_id: tenantId, project_id: projectId, entry_id: id })))
    .onConflict((c) => c.doNothing())
    .execute()
}

/** Takes out one entry or several. */
export async function removeEntries(
  tx: Queries,
  tenantId: string,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  await inChunks(ids, (some) =>
    tx
      .deleteFrom('project_entries')
      .where('tenant_id', '=', tenantId)
      .where('project_id', '=', projectId)
      .where('entry_id', 'in', some)
      .execute(),
  )
}

/** Stamps every entry of the project as changed for search. */
export async function touchProjectEntries(
  tx: Queries,
  tenantId: string,
  projectId: string,
  seq: number,
): Promise<void> {
  await tx
    .updateTable('entries')
    .set({ seq })
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('project_entries')
        .select('entry_id')
        .where('tenant_id', '=', tenantId)
        .where('project_id', '=', projectId),
    )
    .execute()
}

/** The projects of some entries, in the order of their ids. */
export async function projectsOf(
  db: Queries,
  tenantId: string,
  entryIds: readonly string[],
): Promise<{ project_id: string; entry_id: string }[]> {
  if (entryIds.length === 0) return []
  return db
    .selectFrom('project_entries')
    .select(['project_id', 'entry_id'])
    .where('tenant_id', '=', tenantId)
    .where('entry_id', 'in', [...entryIds])
    .orderBy('project_id')
    .execute()
}
