import type { Statement } from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { threadSlices } from '../threads/slices.ts'
import { workRecord } from '../hidden-parameters.ts'
import { spending } from '../telemetry/work-record.ts'
import type { PreparedConnection } from './sqlite-connection.ts'

/** As OpenTelemetry names it. */
const SYSTEM = 'sqlite'
/** How long a write waits for other processes before it fails. The time in this process's own queue counts. */
const LOCK_WAIT_MS = 10_000

/** Kysely's connection for the length of a query or transaction. */
export class SqliteSession implements DatabaseConnection {
  readonly #reader: PreparedConnection
  readonly #writer: PreparedConnection | null
  readonly #lockWriter: () => Promise<() => void>
  #unlock: (() => void) | null = null

  constructor(reader: PreparedConnection, writer: PreparedConnection | null, lockWriter: () => Promise<() => void>) {
    this.#reader = reader
    this.#writer = writer
    this.#lockWriter = lockWriter
  }

  /**
   * Takes the write lock at once. A transaction that first reads and then writes would fail whenever another process
   * writes in between.
   */
  async begin(): Promise<void> {
    if (this.#writer === null) throw new Error('this connection is read-only')
    this.#unlock = await spending('wait', () => this.#beginning(this.#writer!))
  }

  async #beginning(writer: PreparedConnection): Promise<() => void> {
    const deadline = performance.now() + LOCK_WAIT_MS
    const unlock = await this.#lockWriter()
    try {
      await this.#pause()
      await retryWhileBusy(deadline, () => writer.run('begin immediate'))
    } catch (error) {
      unlock()
      throw error
    }
    return unlock
  }

  end(statement: 'commit' | 'rollback'): void {
    const startedMs = performance.now()
    try {
      // On a full disk SQLite may have rolled back already. A second rollback would hide the real error.
      if (statement === 'commit' || this.#writer!.inTransaction) this.#writer!.run(statement)
    } catch (error) {
      if (this.#writer!.inTransaction) this.#writer!.run('rollback')
      throw error
    } finally {
      workRecord()?.statement(SYSTEM, statement, startedMs)
      this.#unlock?.()
      this.#unlock = null
    }
  }

  /**
   * A pause for other work. SQLite's statements are synchronous, so promises alone would run a transaction, and all
   * that wait for it, to the end before the event loop could take a request.
   */
  #pause(): Promise<void> | undefined {
    return threadSlices.pauseHolding()
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#unlock !== null) {
      const pause = this.#pause()
      if (pause !== undefined) await pause
      return execute(this.#writer!.prepare(sql), parameters)
    }
    if (this.#writer === null || isRead(sql)) return execute(this.#reader.prepare(sql), parameters)
    const deadline = performance.now() + LOCK_WAIT_MS
    const unlock = await spending('wait', () => this.#lockWriter())
    try {
      return await retryWhileBusy(deadline, () => execute(this.#writer!.prepare(sql), parameters))
    } finally {
      unlock()
    }
  }

  async *streamQuery<R>(
    { sql, parameters }: CompiledQuery,
    _chunkSize?: number,
  ): AsyncIterableIterator<QueryResult<R>> {
    yield execute(this.#reader.prepare(sql), parameters)
  }
}

const isRead = (sql: string): boolean => /^\s*(select|with)\b/i.test(sql)

function execute<R>(statement: Statement, parameters: readonly unknown[]): QueryResult<R> {
  const record = workRecord()
  if (record === null) return run(statement, parameters)
  const startedMs = performance.now()
  try {
    return run(statement, parameters)
  } finally {
    record.statement(SYSTEM, statement.source, startedMs)
  }
}

function run<R>(statement: Statement, parameters: readonly unknown[]): QueryResult<R> {
  if (statement.reader) return { rows: statement.all(...parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** Tries at least once, however late: a long queue alone is no reason to fail. */
async function retryWhileBusy<T>(deadline: number, attempt: () => T): Promise<T> {
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      const busy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY')
      if (!busy || performance.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4))
  }
}
