import type { Database as Connection, Statement } from 'better-sqlite3'

/** Distinct SQL texts kept prepared per connection. The service has a few hundred. */
const STATEMENTS_MAX = 500

/** A connection that prepares each SQL text once. */
export class PreparedConnection {
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

  /** SQLite's `data_version`: changes with every commit of another connection, including our writer. */
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
