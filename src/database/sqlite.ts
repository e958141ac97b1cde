import { AsyncLocalStorage } from 'node:async_hooks'
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite, { type Database as Connection, type Statement } from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { FairLock } from './fair-lock.ts'

/** Distinct SQL texts kept prepared per connection; the service has a few hundred. */
const STATEMENTS_MAX = 500
/** How long a write waits for another process before it gives up; waiting its turn in this process counts. */
const LOCK_WAIT_MS = 10_000
/** How long transactions may keep the thread before everything else that is due gets its turn. */
const SLICE_MS = 2

/** The tenant that a write is for: tenants take turns at the one writer. Kysely has no other way to tell a driver. */
export const writesFor = new AsyncLocalStorage<string>()

export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

interface SqliteOptions {
  readonly dataDir: string
  /** Opens the file for reading only; for workers that never write. */
  readonly readOnly?: boolean
}

interface SqliteDialect extends Dialect {
  /** See `Database.changeNumber`; null until the file is open. */
  changeNumber(): number | null
}

/** The one file of the embedded database inside `dataDir`. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'knowledge.db')
}

/**
 * Kysely dialect over one SQLite file with two connections: reads never wait for a transaction of
 * this process, writes queue for the one writer, tenant by tenant. Every write is in the file, synced,
 * when it is answered (WAL with synchronous=FULL).
 * @throws DataDirectoryError when the file cannot be opened or written
 */
export function sqliteDialect(options: SqliteOptions): SqliteDialect {
  const driver = new SqliteDriver(options)
  return {
    changeNumber: () => driver.changeNumber(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** SQLite rolls DDL back like anything else; Kysely's own adapter says it does not. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #options: SqliteOptions
  #reader: PreparedConnection | null = null
  #writer: PreparedConnection | null = null
  /** The queue of transactions of this process. */
  readonly #turns = new FairLock()
  readonly #slice = new Slice()

  constructor(options: SqliteOptions) {
    this.#options = options
  }

  async init(): Promise<void> {
    const { dataDir, readOnly = false } = this.#options
    const file = databaseFile(dataDir)
    try {
      if (!readOnly) {
        makeFolder(dataDir)
        makeFile(file)
        this.#writer = new PreparedConnection(openWriter(file))
      }
      this.#reader = new PreparedConnection(openReader(file))
    } catch (error) {
      this.#writer?.close()
      throw new DataDirectoryError(`Cannot use the data directory ${dataDir}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  changeNumber(): number | null {
    return this.#reader?.changeNumber() ?? null
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteSession(this.#reader!, this.#writer, () => this.#lockWriter(), this.#slice)
  }

  async beginTransaction(session: DatabaseConnection): Promise<void> {
    await (session as SqliteSession).begin()
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    ;(session as SqliteSession).end('commit')
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    ;(session as SqliteSession).end('rollback')
  }

  async savepoint(session: DatabaseConnection, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`savepoint "${name}"`))
  }

  async rollbackToSavepoint(session: DatabaseConnection, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`rollback to "${name}"`))
  }

  async releaseSavepoint(session: DatabaseConnection, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`release "${name}"`))
  }

  async releaseConnection(): Promise<void> {
    // Sessions own nothing once their transaction has ended.
  }

  async destroy(): Promise<void> {
    this.#reader?.close()
    this.#writer?.close()
  }

  /** Waits for its turn among this process's transactions; the returned function ends the turn. */
  #lockWriter(): Promise<() => void> {
    return this.#turns.acquire(writesFor.getStore() ?? '')
  }
}

/** What `recursive` does, but for folders that cannot be made, such as in /proc, where that never returns. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isFolder(folder)) return
    if (code !== 'ENOENT' || isFolder(dirname(folder))) throw error
    makeFolder(dirname(folder))
    mkdirSync(folder, { mode: 0o700 })
  }
}

/** Makes the file for its owner alone; SQLite gives its log and index the mode of the file. One that is there stays. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // It is there, or SQLite will say why it cannot be.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function openWriter(file: string): Connection {
  const connection = new BetterSqlite(file)
  // The busy timeout would block the thread that answers HTTP; `begin` waits without blocking instead.
  connection.pragma('busy_timeout = 5000')
  connection.pragma('journal_mode = WAL')
  connection.pragma('busy_timeout = 0')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('cache_size = -65536')
  return connection
}

function openReader(file: string): Connection {
  const connection = new BetterSqlite(file, { readonly: true, fileMustExist: true })
  connection.pragma('busy_timeout = 5000')
  connection.pragma('cache_size = -65536')
  connection.pragma('mmap_size = 268435456')
  return connection
}

/** A connection that prepares each SQL text once. */
class PreparedConnection {
  readonly #connection: Connection
  readonly #statements = new Map<string, Statement>()
  #changes: Statement | null = null

  constructor(connection: Connection) {
    this.#connection = connection
  }

  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#connection.prepare(sql)
      if (this.#statements.size >= STATEMENTS_MAX) this.#statements.delete(this.#statements.keys().next().value!)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** SQLite's own count of what other connections committed, our writer among them. */
  changeNumber(): number {
    this.#changes ??= this.#connection.prepare('pragma data_version').pluck()
    return this.#changes.get() as number
  }

  run(sql: string): void {
    this.#connection.exec(sql)
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction
  }

  close(): void {
    this.#statements.clear()
    this.#connection.close()
  }
}

/**
 * Statements run at once and only promises lie between them, so that without a pause a transaction, and
 * all that wait behind it, would run to their ends before a single request is looked at.
 */
class Slice {
  #began = performance.now()

  /** Lets the event loop turn when the slice is used up; null when it is not. */
  pause(): Promise<void> | null {
    if (performance.now() - this.#began < SLICE_MS) return null
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#began = performance.now()
        resolve()
      })
    })
  }
}

/** What Kysely holds for the length of a query or of a transaction. */
class SqliteSession implements DatabaseConnection {
  readonly #reader: PreparedConnection
  readonly #writer: PreparedConnection | null
  readonly #lockWriter: () => Promise<() => void>
  readonly #slice: Slice
  #unlock: (() => void) | null = null

  constructor(
    reader: PreparedConnection,
    writer: PreparedConnection | null,
    lockWriter: () => Promise<() => void>,
    slice: Slice,
  ) {
    this.#reader = reader
    this.#writer = writer
    this.#lockWriter = lockWriter
    this.#slice = slice
  }

  /** Takes the write lock at once: a transaction that reads first and writes later would fail on any write in between. */
  async begin(): Promise<void> {
    if (this.#writer === null) throw new Error('this connection is read-only')
    const deadline = performance.now() + LOCK_WAIT_MS
    const unlock = await this.#lockWriter()
    try {
      await this.#slice.pause()
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

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#unlock !== null) {
      const pause = this.#slice.pause()
      if (pause !== null) await pause
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
