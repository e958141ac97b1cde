import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Connections } from './connections.ts'
import { FairLock } from './fair-lock.ts'
import { PreparedConnection } from './sqlite-connection.ts'
import { databaseFile, makeFile, makeFolder, openReader, openWriter } from './sqlite-file.ts'
import { SqliteSession } from './sqlite-session.ts'
import { SharedCommit } from './sqlite-shared-commit.ts'
import { workOwner } from '../hidden-parameters.ts'

/** The file of the embedded database cannot be opened or written; its message is for the operator. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** Words of the system and of SQLite when a user may not write to a folder or file. */
const NO_RIGHTS = /EACCES|unable to open|readonly/
const OWNER_ADVICE = '. Check who owns it: commands run as the user of the service, who may write there'

interface SqliteOptions {
  readonly dataDir: string
  /** Opens the file for reading only, for threads that never write. */
  readonly readOnly?: boolean
  /** Called with each error of a statement, a beginning or an end of a transaction. */
  readonly onError?: (error: unknown) => void
}

interface SqliteDialect extends Dialect {
  /** See `Database.changeNumber`; null until the file is open. */
  changeNumber(): number | null
  /** See `Database.emptyLog`. */
  emptyLog(): Promise<void>
  connections(): Connections
  /** The same connections, with transactions that share commits: see `Database.writeShort`. */
  readonly short: Dialect
}

/**
 * Kysely dialect for one SQLite file with two connections. Reads never wait for a transaction of this process; writes
 * wait for the one writer, tenants in turn. Every write is synced to disk when its promise resolves (WAL with
 * synchronous=FULL).
 * @throws DataDirectoryError when the file cannot be opened or written
 */
export function sqliteDialect(options: SqliteOptions): SqliteDialect {
  const driver = new SqliteDriver(options)
  return {
    changeNumber: () => driver.changeNumber(),
    emptyLog: () => driver.emptyLog(),
    connections: () => driver.connections(),
    short: dialectOf(driver.forShortWrites()),
    ...dialectOf(driver),
  }
}

function dialectOf(driver: Driver): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SteadyQueryCompiler(),
  }
}

/**
 * Writes a parameter as `+?`. SQLite plans with the value of a bare `?`, and prepares the statement again each time a
 * value is bound, which made the look-up of a credential take four times as long. Only statistics, which the service
 * does not keep, and partial indexes profit from the value. For a partial index, write the value into the statement
 * (`sql.lit`).
 */
class SteadyQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** SQLite can roll back schema changes. Kysely's own adapter says it cannot. */
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
  /** Lock of the writer, for which the transactions of this process wait. */
  readonly #turns = new FairLock()
  #shared: SharedCommit | null = null

  constructor(options: SqliteOptions) {
    this.#options = options
  }

  /** Returns a driver like this one whose transactions share commits. Destroying either driver closes both. */
  forShortWrites(): Driver {
    return {
      init: () => this.init(),
      acquireConnection: async () => this.#session(() => this.#turns.acquire(workOwner()), this.#shared),
      beginTransaction: (session) => this.beginTransaction(session),
      commitTransaction: (session) => this.commitTransaction(session),
      rollbackTransaction: (session) => this.rollbackTransaction(session),
      savepoint: (session, name) => this.savepoint(session, name),
      rollbackToSavepoint: (session, name) => this.rollbackToSavepoint(session, name),
      releaseSavepoint: (session, name) => this.releaseSavepoint(session, name),
      releaseConnection: () => this.releaseConnection(),
      destroy: () => this.destroy(),
    }
  }

  async init(): Promise<void> {
    if (this.#reader !== null) return
    const { dataDir, readOnly = false } = this.#options
    const file = databaseFile(dataDir)
    try {
      if (!readOnly) {
        makeFolder(dataDir)
        makeFile(file)
        this.#writer = new PreparedConnection(openWriter(file))
        this.#shared = new SharedCommit(this.#writer, this.#turns)
      }
      this.#reader = new PreparedConnection(openReader(file, readOnly))
    } catch (error) {
      this.#writer?.close()
      const { message } = error as Error
      throw new DataDirectoryError(
        `Cannot use the data directory ${dataDir}: ${message}${NO_RIGHTS.test(message) ? OWNER_ADVICE : ''}`,
        { cause: error },
      )
    }
  }

  changeNumber(): number | null {
    return this.#reader?.changeNumber() ?? null
  }

  async emptyLog(): Promise<void> {
    if (this.#writer === null) return
    const unlock = await this.#lockWriter()
    try {
      this.#writer.run('pragma wal_checkpoint(truncate)')
    } finally {
      unlock()
    }
  }

  connections(): Connections {
    const inUse = this.#turns.isHeld || this.#shared?.isOpen === true ? 1 : 0
    return { inUse, idle: 1 - inUse, waiting: 0, writesWaiting: this.#turns.waiting, max: 1 }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#session(() => this.#lockWriter(), null)
  }

  #session(lockWriter: () => Promise<() => void>, shared: SharedCommit | null): SqliteSession {
    const { onError = () => undefined } = this.#options
    return new SqliteSession(this.#reader!, this.#writer, lockWriter, shared, onError)
  }

  async beginTransaction(session: DatabaseConnection): Promise<void> {
    await (session as SqliteSession).begin()
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    await (session as SqliteSession).end('commit')
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    await (session as SqliteSession).end('rollback')
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
    // Nothing to release: a session has no resources after its transaction.
  }

  async destroy(): Promise<void> {
    this.#shared?.close()
    this.#reader?.close()
    this.#writer?.close()
  }

  /**
   * Waits until this process's earlier transactions are done, and commits the short writes that are not committed yet.
   * Call the returned function to release the writer.
   */
  async #lockWriter(): Promise<() => void> {
    const unlock = await this.#turns.acquire(workOwner())
    this.#shared?.commit()
    return unlock
  }
}
