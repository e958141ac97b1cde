import type { Caller } from '../../../platform/access/caller.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { faultsOf } from '../../../platform/contract/all-faults.ts'
import { idsIn } from '../../../platform/contract/unchecked.ts'
import { Fault } from '../../../platform/faults.ts'
import { filterVisible } from './visible-store.ts'

/**
 * Requires that the caller may see entries that a body names.
 * @param ids items of `body.entry_ids`; null for an item that is not an id, which the check of the shape reports
 * @throws Fault invalid, with the index of each entry that is unknown or invisible to the caller
 */
export async function requireVisibleEntries(
  db: Queries,
  caller: Caller,
  ids: readonly (string | null)[],
): Promise<void> {
  const visible = await filterVisible(
    db,
    caller,
    ids.filter((id) => id !== null),
  )
  const details = ids.flatMap((id, i) =>
    id === null || visible.has(id)
      ? []
      : [{ loc: ['body', 'entry_ids', String(i)], msg: 'Entry does not exist', type: 'reference_not_found' }],
  )
  if (details.length > 0) throw new Fault('invalid', details.slice(0, 100))
}

/** Returns the faults of `entry_ids` in a body of any shape that a check of the shape does not find. */
export function faultsOfEntryIds(db: Queries, caller: Caller, body: unknown): Promise<Fault[]> {
  return faultsOf([() => requireVisibleEntries(db, caller, idsIn(body, 'entry_ids'))])
}
