import { sql } from 'kysely'
import type { Database } from '../../../platform/database/database.ts'

const FIRST = 1_000
const GROWTH = 4

/**
 * Keeps PostgreSQL's planner in the picture while a table fills faster than autovacuum looks at it (once a minute by
 * default): without statistics it scans a whole site for each batch of a first import.
 */
export class PlannerStatistics {
  readonly #database: Database
  #created = 0
  #next = FIRST

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Tells of new products; now and then, each time after four times as many, the statistics are renewed. A table that
   * somebody else is vacuuming or altering is left out: a push must not wait for a convenience, nor fail with it.
   */
  async created(count: number): Promise<void> {
    this.#created += count
    if (this.#created < this.#next) return
    while (this.#next <= this.#created) this.#next *= GROWTH
    const { queries, portable } = this.#database
    if (portable.name === 'postgres') await sql`analyze (skip_locked) products, product_vectors`.execute(queries)
  }
}
