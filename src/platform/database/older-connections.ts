import { type Kysely, sql } from 'kysely'

/** Name by which PostgreSQL lists the connections of the service and its commands. */
export const APPLICATION_NAME = 'knowledge-service'

/**
 * Lists from where PostgreSQL has connections of the service that are older than a time, other than the one that asks.
 * A connection through a pooler is as old as the pooler's own.
 * @param beforeMs milliseconds since 1970
 * @returns addresses; null for the machine of the database
 */
export async function olderConnections<DB>(db: Kysely<DB>, beforeMs: number): Promise<readonly (string | null)[]> {
  const { rows } = await sql<{ client: string | null }>`select distinct host(client_addr) as client
    from pg_stat_activity
    where datname = current_database() and application_name = ${APPLICATION_NAME} and pid <> pg_backend_pid()
      and backend_start < to_timestamp(${beforeMs / 1_000}::double precision)`.execute(db)
  return rows.map(({ client }) => client)
}
