import { sql } from 'kysely'
import type { Database } from './database.ts'
import { DataDirectoryError } from './sqlite.ts'

const RETRY_MS = 2_000

/** Wrong credentials or a database that does not exist: waiting does not help. */
const FINAL_SQLSTATES = new Set(['28P01', '28000', '3D000'])

interface ConnectLog {
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}

/**
 * Waits until the database answers, saying so: a service and its PostgreSQL are often started together.
 * @throws DataDirectoryError, or DatabaseRefused when waiting cannot help
 */
export async function waitForDatabase(database: Database, log: ConnectLog, signal?: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`select 1`.execute(database.queries)
      if (attempt > 1) log.info({}, 'the database answers, going on')
      return
    } catch (error) {
      if (error instanceof DataDirectoryError) throw error
      const { code, message } = error as { code?: string; message: string }
      if (code !== undefined && FINAL_SQLSTATES.has(code)) {
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
