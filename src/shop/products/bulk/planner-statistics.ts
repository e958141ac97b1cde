import type { Database } from '../../../platform/database/database.ts'
import { analyseProducts } from '../store.ts'

/** New products after which the statistics are renewed first. */
const FIRST = 1_000
/** Factor by which the number of new products grows until the statistics are renewed again. */
const GROWTH = 4

/**
 * Renews the statistics of PostgreSQL's planner during a large import. Autovacuum comes only once a minute by default,
 * and without statistics the planner scans a whole site for each batch of a first import.
 */
export class PlannerStatistics {
  readonly #database: Database
  #created = 0
  #next = FIRST

  constructor(database: Database) {
    this.#database = database
  }

  /** Counts new products, and renews the statistics each time their number has grown by `GROWTH`. */
  async created(count: number): Promise<void> {
    this.#created += count
    if (this.#created < this.#next) return
    while (this.#next <= this.#created) this.#next *= GROWTH
    await analyseProducts(this.#database)
  }
}
