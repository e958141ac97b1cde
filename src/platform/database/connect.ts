import { sql } from 'kysely'
import type { Database, Queries } from './database.ts'
import { isRefusal } from '../refusal.ts'
import { DatabaseRefused } from './refusals.ts'
import { DataDirectoryError } from './sqlite.ts'

const RETRY_MS = 2_000

/** Oldest supported PostgreSQL, in the server's own notation: 150000 is 15.0. */
export const SERVER_VERSION_NUM_MIN = 150_000

interface WaitLog {
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

/**
 * Waits until the database answers, and logs that it waits: a service and its PostgreSQL are often started together.
 * @throws DataDirectoryError, or DatabaseRefused when waiting cannot help, for example because PostgreSQL is too old
 */
export async function waitForDatabase(database: Database, log: WaitLog, signal?: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await (database.portable.name === 'postgres' ? requireVersion(database) : answers(database))
      if (attempt > 1) log.info({}, 'the database answers, going on')
      return
    } catch (error) {
      if (error instanceof DataDirectoryError || error instanceof DatabaseRefused) throw error
      const { code, message } = error as { code?: string; message: string }
      if (isRefusal(error)) {
        throw new DatabaseRefused(`PostgreSQL refuses the connection: ${message}. Check DATABASE_URL.`, {
          cause: error,
        })
      }
      if (signal?.aborted) throw error
      log.warn({ error: message || code, retryMs: RETRY_MS }, 'waiting for the database')
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** Resolves when the database answers. @throws the driver's error when it does not */
export async function answers({ queries }: Database): Promise<void> {
  await sql`select 1`.execute(queries)
}

/** Checks the version of the server. @throws DatabaseRefused when it is too old */
async function requireVersion({ queries }: Database): Promise<void> {
  const { number, name } = await serverVersion(queries)
  if (number >= SERVER_VERSION_NUM_MIN) return
  throw new DatabaseRefused(
    `PostgreSQL ${name} is too old: version ${SERVER_VERSION_NUM_MIN / 10_000} or newer is needed. ` +
      'Upgrade the server, or let DATABASE_URL name a newer one.',
  )
}

/**
 * Returns the version of a PostgreSQL server.
 * @returns its number to compare, such as 150018, and the name of the release, such as 15.18
 */
export async function serverVersion(queries: Queries): Promise<{ number: number; name: string }> {
  const { rows } = await sql<{ number: number }>`
    select current_setting('server_version_num')::int as number`.execute(queries)
  const { number } = rows[0]
  return { number, name: `${Math.floor(number / 10_000)}.${number % 10_000}` }
}
