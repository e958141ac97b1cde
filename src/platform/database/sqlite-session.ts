import type { Statement } from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { threadSlices } from '../threads/slices.ts'
import type { PreparedConnection } from './sqlite-connection.ts'

/** How long a write waits for another process before it gives up; waiting its turn in this process counts. */
const LOCK_WAIT_MS = 10_000

/** What Kysely holds for the length of a query or of a transaction. */
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

  /** Takes the write lock at once: a transaction that reads first and writes later would fail on any write in between. */
  async begin(): Promise<void> {
    if (this.#writer === null) throw new Error('this connection is read-only')
    const deadline = performance.now() + LOCK_WAIT_MS
    const unlock = await this.#lockWriter()
    try {
      await this.#pause()
      await retryWhileBusy(deadline, () => this.#writer!.run('begin immediate'))
    } catch (error) {
      unlock()
      throw error
    }
    this.#unlock = unlock
  }

  end(statement: 'commit' | 'rollback'): void {
    try {
      // A full disk may have rolled back already; a second rollback would only hide that error.
      if (statement === 'commit' || this.#writer!.inTransaction) this.#writer!.run(statement)
    } catch (error) {
      if (this.#writer!.inTransaction) this.#writer!.run('rollback')
      throw error
    } finally {
      this.#unlock?.()
      this.#unlock = null
    }
  }

  /**
   * Statements run at once and only promises lie between them, so that without a pause a transaction, and
   * all that wait behind it, would run to their ends before a single request is looked at.
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
    const unlock = await this.#lockWriter()
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
  if (statement.reader) return { rows: statement.all(...parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** Tries at least once, however late it is: a long queue alone is no reason to give up. */
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
