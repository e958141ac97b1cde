import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'
import { until } from './patience.ts'
import { send } from './send.ts'

/** Waits until connections to a database on PostgreSQL wait for a lock. No event announces one, so the server is polled. */
export async function connectionsWait({ queries }: Database, atLeast: number): Promise<void> {
  const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`
  await until(async () => (await waiting.execute(queries)).rows[0].count >= atLeast, `${atLeast} connections wait`)
}

/**
 * Waits until a write of this process waits for another write: on PostgreSQL for a row, on SQLite for the one writer.
 */
export async function writeWaits(database: Database): Promise<void> {
  if (database.portable.name === 'postgres') return connectionsWait(database, 1)
  await until(() => database.connections().writesWaiting > 0, 'a write waits for the writer')
}

/**
 * Waits until a service waits for a transaction of this process. On PostgreSQL the service waits for a row. On SQLite
 * it waits for its one writer, which its metrics say is at work.
 * @param url of the service
 */
export async function serviceWaits(database: Database, url: string): Promise<void> {
  if (database.portable.name === 'postgres') return connectionsWait(database, 1)
  const isWriting = async (): Promise<boolean> => {
    const { text } = await send(`${url}/metrics`, { method: 'GET', headers: {} })
    return /^\w*database_connections\{state="in_use"\} 1$/m.test(text)
  }
  await until(isWriting, 'the service waits to write')
}
