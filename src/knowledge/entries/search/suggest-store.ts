import type { Queries } from '../../../platform/database/database.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'

/** Columns of an entry that a suggestion shows, and those that decide who sees it. */
export type SuggestedEntryRow = Pick<
  EntryRow,
  'id' | 'seq' | 'title' | 'type' | 'language' | 'category_id' | 'visibility' | 'created_by_user_id' | 'workspace_id'
>

/** Returns suggestions for the ids that exist, in no particular order. */
export async function findSuggested(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<SuggestedEntryRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('entries')
    .select([
      'id',
      'seq',
      'title',
      'type',
      'language',
      'category_id',
      'visibility',
      'created_by_user_id',
      'workspace_id',
    ])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
}
