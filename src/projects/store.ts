import type { Queries } from '../database/database.ts'

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
