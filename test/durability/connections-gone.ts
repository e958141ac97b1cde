import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'

/**
 * Waits until PostgreSQL has closed the connections of a killed client, for which it may still commit. After that the
 * client's writes are final.
 */
export async function connectionsGone({ queries, portable }: Database): Promise<void> {
  if (portable.name === 'sqlite') return
  for (;;) {
    const { rows } = await sql<{ others: number }>`
      select count(*) as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and state <> 'idle'`.execute(queries)
    if (rows[0].others === 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
