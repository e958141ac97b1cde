import { Kysely, type Transaction } from 'kysely'
import { FairSlots } from '../threads/fair-slots.ts'
import { PORTABLE, type Portable } from './portable.ts'
import { POOL_MAX, postgresDialect } from './postgres.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { workFor } from '../hidden-parameters.ts'

export type Tx = Transaction<Tables>

/** Reads may run outside a transaction; stores take whichever they are given. */
export type Queries = Kysely<Tables>

/** Deadlocks and serialisation failures of PostgreSQL: the transaction did nothing and may run again. */
const RETRYABLE_SQLSTATES = new Set(['40001', '40P01'])
const WRITE_ATTEMPTS_MAX = 5
/** One that runs, and one that is ready to when that has ended. */
const WRITES_PER_TENANT = 2
/** Connections of the pool that no transaction takes. */
const READ_CONNECTIONS = 2

export interface Database {
  readonly queries: Queries
  readonly portable: Portable
  /**
   * Runs `work` in one transaction: all of it is durable when the promise resolves, or none of it
   * happened. `work` may run again after a deadlock, so it must not act outside the database.
   * @param tenantId whose turn it takes where writers queue, so that one with many writes holds up no other
   */
  write<T>(work: (tx: Tx) => Promise<T>, tenantId?: string): Promise<T>
  /**
   * A number that is another one as soon as any process has committed anything: what was read under it can be
   * used again while it stays. Null where the database offers none and reading again is the only way.
   */
  changeNumber(): number | null
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly readOnly?: boolean
  readonly poolMax?: number
  readonly onError?: (error: Error) => void
}

/** Opens the database without touching its schema; `migrate` does that. */
export function openDatabase({ dataDir, databaseUrl, readOnly, poolMax, onError }: DatabaseOptions): Database {
  const sqlite = databaseUrl === null ? sqliteDialect({ dataDir, readOnly }) : null
  const dialect = sqlite ?? postgresDialect({ url: databaseUrl!, poolMax, onError })
  const queries = new Kysely<Tables>({ dialect })
  // SQLite's driver has its own queue for its one writer.
  const slots = writeSlots(poolMax ?? POOL_MAX)
  return {
    queries,
    portable: PORTABLE[databaseUrl === null ? 'sqlite' : 'postgres'],
    write: (work, tenantId = '') =>
      workFor(tenantId, () =>
        sqlite === null ? slots.run(tenantId, () => writeWithRetry(queries, work)) : writeWithRetry(queries, work),
      ),
    changeNumber: () => sqlite?.changeNumber() ?? null,
    close: () => queries.destroy(),
  }
}

/** How long a write waits for its turn; it may wait for a lock after that. */
const TURN_WAIT_MS = 5_000

/**
 * Transactions of one tenant wait for each other at its row, each with a connection in its hands. Without a bound those
 * of one tenant would hold them all, and nobody else's request would get any.
 */
function writeSlots(poolMax: number): FairSlots {
  return new FairSlots({
    slots: Math.max(1, poolMax - READ_CONNECTIONS),
    perOwner: WRITES_PER_TENANT,
    waitMs: TURN_WAIT_MS,
  })
}

async function writeWithRetry<T>(queries: Queries, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await queries.transaction().execute(work)
    } catch (error) {
      const { code } = error as { code?: string }
      if (attempt >= WRITE_ATTEMPTS_MAX || code === undefined || !RETRYABLE_SQLSTATES.has(code)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
  }
}
