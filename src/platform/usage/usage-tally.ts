import type { Database } from '../database/database.ts'
import { addToDay } from './store.ts'

/**
 * Time between two writes. A write for each search would cost more than the search. A crash loses what was counted
 * since the last write.
 */
const FLUSH_INTERVAL_MS = 30_000

/** Usage of a tenant on one day. */
interface Counts {
  searches: number
  tokens: number
}

/** Counts the usage of tenants by day, in memory, and adds the counts to the database in the background. */
export class UsageTally {
  readonly #database: Database
  readonly #onError: (error: unknown) => void
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  /** Counts that are not stored yet, by tenant id, a space and the day. No tenant's id has a space. */
  #pending = new Map<string, Counts>()

  constructor(database: Database, onError: (error: unknown) => void, now: () => number = Date.now) {
    this.#database = database
    this.#onError = onError
    this.#now = now
    this.#timer = setInterval(() => void this.flush().catch(this.#onError), FLUSH_INTERVAL_MS)
    this.#timer.unref()
  }

  /** Counts one search. */
  search(tenantId: string): void {
    this.#of(tenantId).searches += 1
  }

  /** Counts tokens of texts or queries that a model has embedded. */
  embedded(tenantId: string, tokens: number): void {
    this.#of(tenantId).tokens += tokens
  }

  /** Stores the counts so far. Counts that cannot be stored now are stored next time. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return
    const batch = this.#pending
    this.#pending = new Map()
    try {
      await this.#database.write(async (tx) => {
        for (const [key, counts] of batch) {
          const [tenantId, day] = key.split(' ')
          await addToDay(tx, { tenant_id: tenantId, day, ...counts })
        }
      })
    } catch (error) {
      for (const [key, { searches, tokens }] of batch) {
        const counts = this.#countsAt(key)
        counts.searches += searches
        counts.tokens += tokens
      }
      throw error
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush().catch(this.#onError)
  }

  #of(tenantId: string): Counts {
    return this.#countsAt(`${tenantId} ${dayOf(this.#now())}`)
  }

  #countsAt(key: string): Counts {
    let counts = this.#pending.get(key)
    if (counts === undefined) this.#pending.set(key, (counts = { searches: 0, tokens: 0 }))
    return counts
  }
}

/** Returns the day of a time in UTC, such as `2027-02-19`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
