import type { Caller } from '../../../platform/access/caller.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { Fault } from '../../../platform/faults.ts'
import { filterVisible } from './visible-store.ts'

/** @throws Fault invalid when an entry of `body.entry_ids` is unknown or invisible to the caller, at its place */
export async function requireVisibleEntries(db: Queries, caller: Caller, ids: readonly string[]): Promise<void> {
  const visible = await filterVisible(db, caller, ids)
  const details = ids.flatMap((id, i) =>
    visible.has(id)
      ? []
      : [{ loc: ['body', 'entry_ids', String(i)], msg: 'Entry does not exist', type: 'reference_not_found' }],
  )
  if (details.length > 0) throw new Fault('invalid', details.slice(0, 100))
}
