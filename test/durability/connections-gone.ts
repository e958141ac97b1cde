import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'
import { until } from '../support/patience.ts'

/**
 * Waits until PostgreSQL has closed the connections of a killed client, for which it may still commit. After that the
 * client's writes are final.
 */
export async function connectionsGone({ queries, portable }: Database): Promise<void> {
  if (portable.name === 'sqlite') return
  const active = sql<{ others: number }>`
    select count(*) as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and state <> 'idle'`
  await until(async () => (await active.execute(queries)).rows[0].others === 0, 'the killed client has no connection')
}
