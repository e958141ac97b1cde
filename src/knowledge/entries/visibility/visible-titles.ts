import type { Caller } from '../../../platform/access/caller.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { guardOf } from '../entry.ts'
import { findTitles } from '../store.ts'

/** Returns the titles by id of the visible entries that are not private notes. */
export async function visibleTitles(db: Queries, caller: Caller, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await findTitles(db, caller.tenant.id, ids)
  const visible = rows.filter((row) => row.visibility !== 'personal' && maySee(caller, guardOf(row)))
  return new Map(visible.map(({ id, title }) => [id, title]))
}
