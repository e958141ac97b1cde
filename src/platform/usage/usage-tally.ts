import type { Database } from '../database/database.ts'
import { addToDay } from './store.ts'

/** A write for each search would cost more than the search. A crash loses what was counted since the last one. */
const FLUSH_INTERVAL_MS = 30_000

/** What of a day's usage is counted when it happens. */
interface Counts {
  searches: number
  tokens: number
}

/** Counts what tenants use by day, in memory, and adds it to the database in the background. */
export class UsageTally {
  readonly #database: Database
  readonly #onError: (error: unknown) => void
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  /** By tenant and day; one entry for each, since no tenant's id has a space. */
  #pending = new Map<string, Counts>()

  constructor(database: Database, onError: (error: unknown) => void, now: () => number = Date.now) {
    this.#database = database
    this.#onError = onError
    this.#now = now
    this.#timer = setInterval(() => void this.flush().catch(this.#onError), FLUSH_INTERVAL_MS)
    this.#timer.unref()
  }

  search(tenantId: string): void {
    this.#of(tenantId).searches += 1
  }

  /** @param tokens that a model embedded, of texts or queries */
  embedded(tenantId: string, tokens: number): void {
    this.#of(tenantId).tokens += tokens
  }

  /** Stores what was counted so far. What cannot be stored now is stored next time. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return
    const counted = this.#pending
    this.#pending = new Map()
    try {
      await this.#database.write(async (tx) => {
        for (const [name, counts] of counted) {
          const [tenantId, day] = name.split(' ')
          await addToDay(tx, { tenant_id: tenantId, day, ...counts })
        }
      })
    } catch (error) {
      for (const [name, { searches, tokens }] of counted) {
        const counts = this.#named(name)
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
    return this.#named(`${tenantId} ${dayOf(this.#now())}`)
  }

  #named(name: string): Counts {
    let counts = this.#pending.get(name)
    if (counts === undefined) this.#pending.set(name, (counts = { searches: 0, tokens: 0 }))
    return counts
  }
}

/** The day of a time in UTC, such as `2027-02-19`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
