import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { workFor } from '../../platform/hidden-parameters.ts'

/** Number of the advisory locks, one for each tenant; nothing else in the database uses it. */
const FOLLOW_LOCK = 7_204_115_392

/**
 * Does work for a tenant unless other work for the same tenant holds the lock, in this process or another one. The
 * transaction of the lock reads nothing else, so it keeps no rows from being cleaned up however long the work takes. It
 * states its isolation so that it counts as a transaction that may last, not as one that writes.
 * @returns the result of the work; undefined where other work holds the lock
 */
export function withFollowLock<T>(
  { queries }: Database,
  tenantId: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  // The connection of the lock is not one of those that the tenant may have at once.
  return workFor('', () =>
    queries
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const { rows } = await sql<{ isAlone: boolean }>`
          select pg_try_advisory_xact_lock(hashtextextended(${tenantId}, ${FOLLOW_LOCK})) as "isAlone"`.execute(tx)
        return rows[0].isAlone ? workFor(tenantId, work) : undefined
      }),
  )
}
