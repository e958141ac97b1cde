import { Kysely, type LogEvent, type Transaction } from 'kysely'
import { damageIn } from '../damage.ts'
import { FairSlots } from '../threads/fair-slots.ts'
import type { Connections } from './connections.ts'
import { PORTABLE, type Portable } from './portable.ts'
import { postgresDialect } from './postgres.ts'
import { POOL_MAX } from './postgres-address.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { numberOf } from './watermark.ts'
import { workFor, workRecord } from '../hidden-parameters.ts'

export type Tx = Transaction<Tables>

/** Reads, which work inside and outside of a transaction. */
export type Queries = Kysely<Tables>

/** PostgreSQL's deadlocks and serialisation failures. The transaction changed nothing and may run again. */
const RETRYABLE_SQLSTATES = new Set(['40001', '40P01'])
const WRITE_ATTEMPTS_MAX = 5
/** Transactions that a tenant may have at once: one that runs, and one that is ready to follow. */
const WRITES_PER_TENANT = 2
/** Connections that stay free for reads: writes may not take them. */
const READ_CONNECTIONS = 2

export interface Database {
  readonly queries: Queries
  readonly portable: Portable
  /**
   * Runs `work` in one transaction. All of it is durable when the promise resolves, or nothing happened. `work` may run
   * again after a deadlock, so it must not act outside the database.
   * @param tenantId tenant whose turn the write takes, so that a tenant with many writes does not delay other tenants
   * @throws CommitUnknown when the connection to PostgreSQL was lost during COMMIT, and the server does not say whether
   *   the transaction is stored
   */
  write<T>(work: (tx: Tx) => Promise<T>, tenantId?: string): Promise<T>
  /**
   * Like `write`, for work on one object that takes a few milliseconds at most. On SQLite such writes share a COMMIT
   * when they come together, so the disk is synced once for all of them. A write that fails is taken back alone; only a
   * COMMIT that fails takes back all of them. `work` must read through `tx`: other reads do not see the writes that it
   * shares a COMMIT with.
   */
  writeShort<T>(work: (tx: Tx) => Promise<T>, tenantId: string): Promise<T>
  /**
   * Returns a number that changes whenever any process has committed a change. While it is the same, earlier reads are
   * still valid. Null where the database has no such number; then read again.
   */
  changeNumber(): number | null
  /**
   * Empties SQLite's log of changes, which otherwise keeps deleted text until other changes overwrite it. Does nothing
   * while another process reads, and on PostgreSQL.
   */
  emptyLog(): Promise<void>
  /** Calls `listener` with the tenant of each write that took a number of its changes, once the write is stored. */
  onWrite(listener: (tenantId: string) => void): void
  /** Returns the present state of the connections. */
  connections(): Connections
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly readOnly?: boolean
  readonly poolMax?: number
  readonly onError?: (error: Error) => void
  /** Called with each error of a statement or transaction that tells of damage (`damageIn`). */
  readonly onDamage?: (error: unknown) => void
}

/** Opens the database without touching its schema; `migrate` does that. */
export function openDatabase({
  dataDir,
  databaseUrl,
  readOnly,
  poolMax,
  onError,
  onDamage,
}: DatabaseOptions): Database {
  const noteError = (error: unknown): void => {
    if (onDamage !== undefined && damageIn(error) !== null) onDamage(error)
  }
  const sqlite = databaseUrl === null ? sqliteDialect({ dataDir, readOnly, onError: noteError }) : null
  const postgres = sqlite === null ? postgresDialect({ url: databaseUrl!, poolMax, onError }) : null
  // SQLite's own sessions note the errors of their commits too.
  const log = sqlite === null ? { log: (event: LogEvent) => noteErrorOf(event, noteError) } : {}
  const queries = new Kysely<Tables>({ dialect: sqlite ?? postgres!.dialect, ...log })
  // The SQLite driver queues writes for its one writer itself.
  const slots = writeSlots(poolMax ?? POOL_MAX)
  const listeners: ((tenantId: string) => void)[] = []
  /** Runs a write. Once it is stored, notes its number for the running request, and tells the listeners. */
  const announced = async <T>(
    work: (tx: Tx) => Promise<T>,
    run: (work: (tx: Tx) => Promise<T>) => Promise<T>,
  ): Promise<T> => {
    // A transaction that failed and ran again has taken another number.
    let change: ReturnType<typeof numberOf>
    const result = await run(async (tx) => {
      const outcome = await work(tx)
      change = numberOf(tx)
      return outcome
    })
    if (change === undefined) return result
    const record = workRecord()
    record?.noteWatermark(change.number)
    for (const listener of listeners) listener(change.tenantId)
    return result
  }
  const write: Database['write'] = (work, tenantId = '') =>
    workFor(tenantId, () =>
      announced(work, (noted) => {
        const attempt = () => writeWithRetry(queries, noted)
        return sqlite === null ? slots.run(tenantId, attempt) : attempt()
      }),
    )
  const short = sqlite === null ? null : new Kysely<Tables>({ dialect: sqlite.short })
  return {
    queries,
    portable: PORTABLE[databaseUrl === null ? 'sqlite' : 'postgres'],
    write,
    writeShort:
      short === null
        ? write
        : (work, tenantId) => workFor(tenantId, () => announced(work, (noted) => short.transaction().execute(noted))),
    changeNumber: () => sqlite?.changeNumber() ?? null,
    emptyLog: async () => sqlite?.emptyLog(),
    onWrite: (listener) => void listeners.push(listener),
    connections: () => sqlite?.connections() ?? { ...postgres!.connections(), writesWaiting: slots.waiting },
    async close() {
      await short?.destroy()
      await queries.destroy()
    },
  }
}

function noteErrorOf(event: LogEvent, note: (error: unknown) => void): void {
  if (event.level === 'error') note(event.error)
}

/** Time that a write waits for its turn. After that it may still wait for a lock. */
const TURN_WAIT_MS = 5_000

/**
 * Makes the slots that bound the transactions of one tenant. Such transactions wait for each other at the tenant's row,
 * and each has a connection. Without a bound they would have all connections, and other tenants' requests would get
 * none.
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
