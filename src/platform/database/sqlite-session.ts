import type { Statement } from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { threadSlices } from '../threads/slices.ts'
import { workRecord } from '../hidden-parameters.ts'
import { spending } from '../telemetry/work-record.ts'
import type { PreparedConnection } from './sqlite-connection.ts'
import type { SharedCommit } from './sqlite-shared-commit.ts'

/** Name of the database system in OpenTelemetry. */
const SYSTEM = 'sqlite'
/** Time that a write waits for other processes before it fails, including its time in this process's own queue. */
const LOCK_WAIT_MS = 10_000

/** Kysely's connection for the length of a query or transaction. */
export class SqliteSession implements DatabaseConnection {
  readonly #reader: PreparedConnection
  readonly #writer: PreparedConnection | null
  readonly #lockWriter: () => Promise<() => void>
  readonly #shared: SharedCommit | null
  readonly #onError: (error: unknown) => void
  /** Releases the writer. Set from the beginning of a transaction to its end. */
  #unlock: (() => void) | null = null
  /** Error with which SQLite took back the whole transaction by itself, such as that of a full disk. */
  #loss: { readonly error: unknown } | null = null

  /**
   * @param shared the commit that transactions of this session share with others; null where each has its own
   * @param onError called with each error of SQLite
   */
  constructor(
    reader: PreparedConnection,
    writer: PreparedConnection | null,
    lockWriter: () => Promise<() => void>,
    shared: SharedCommit | null,
    onError: (error: unknown) => void,
  ) {
    this.#onError = onError
    this.#reader = reader
    this.#writer = writer
    this.#lockWriter = lockWriter
    this.#shared = shared
  }

  /**
   * Takes the write lock at once. A transaction that first reads and then writes would fail whenever another process
   * writes in between.
   */
  async begin(): Promise<void> {
    if (this.#writer === null) throw new Error('this connection is read-only')
    this.#unlock = await this.#noting(spending('wait', () => this.#lockAndBegin(this.#writer!)))
  }

  async #lockAndBegin(writer: PreparedConnection): Promise<() => void> {
    const deadline = performance.now() + LOCK_WAIT_MS
    const unlock = await this.#lockWriter()
    try {
      await this.#pause()
      await retryWhileBusy(deadline, () =>
        this.#shared === null ? writer.run('begin immediate') : this.#shared.begin(),
      )
    } catch (error) {
      unlock()
      throw error
    }
    return unlock
  }

  /**
   * Commits the transaction or takes it back. Resolves when the commit is durable. Does nothing once the transaction
   * has ended: after a failed commit Kysely rolls back, and the writer may have another transaction by then.
   */
  async end(statement: 'commit' | 'rollback'): Promise<void> {
    const unlock = this.#unlock
    if (unlock === null) return
    this.#unlock = null
    const startedMs = performance.now()
    try {
      let durable: Promise<void> | undefined
      try {
        durable = this.#finish(statement)
      } catch (error) {
        this.#onError(error)
        throw error
      } finally {
        unlock()
      }
      if (durable !== undefined) await this.#noting(durable)
    } finally {
      workRecord()?.statement(SYSTEM, statement, startedMs)
    }
  }

  #finish(statement: 'commit' | 'rollback'): Promise<void> | undefined {
    const loss = this.#loss
    this.#loss = null
    if (loss !== null) {
      if (statement === 'commit') throw loss.error
      return undefined
    }
    if (this.#shared !== null) {
      if (statement === 'commit') return this.#shared.end()
      this.#shared.undo()
      return undefined
    }
    try {
      this.#writer!.run(statement)
    } catch (error) {
      if (this.#writer!.inTransaction) this.#writer!.run('rollback')
      throw error
    }
    return undefined
  }

  /**
   * Pauses for other work. SQLite's statements are synchronous, so promises alone would run a transaction, and all
   * writes that wait for it, to the end before the event loop could take a request.
   */
  #pause(): Promise<void> | undefined {
    return threadSlices.pauseHolding()
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#noting(this.#execute(query))
  }

  async #noting<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.#onError(error)
      throw error
    }
  }

  async #execute<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#unlock !== null) {
      const pause = this.#pause()
      if (pause !== undefined) await pause
      return this.#executeInTransaction(this.#writer!, sql, parameters)
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

  /**
   * Executes a statement of a transaction. Once the transaction is lost, statements would be durable one by one, so
   * they fail.
   */
  #executeInTransaction<R>(writer: PreparedConnection, sql: string, parameters: readonly unknown[]): QueryResult<R> {
    if (this.#loss !== null) throw this.#loss.error
    try {
      return execute(writer.prepare(sql), parameters)
    } catch (error) {
      if (!writer.inTransaction) {
        this.#loss = { error }
        this.#shared?.fail(error)
      }
      throw error
    }
  }

  async *streamQuery<R>(
    { sql, parameters }: CompiledQuery,
    _chunkSize?: number,
  ): AsyncIterableIterator<QueryResult<R>> {
    try {
      yield execute(this.#reader.prepare(sql), parameters)
    } catch (error) {
      this.#onError(error)
      throw error
    }
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

/**
 * Tries until SQLite is not busy or the deadline has passed. It tries at least once, since a long queue is no reason to
 * fail.
 */
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
