import type { Database } from '../database/database.ts'
import type { UsageDayRow } from '../database/tables.ts'
import { addToDay } from './store.ts'
import type { TenantLoad } from './tenant-work.ts'

/**
 * Time between two writes. A write for each search would cost more than the search. A crash loses what was counted
 * since the last write.
 */
const FLUSH_INTERVAL_MS = 30_000

/** Usage of a tenant on one day. */
type Counts = { -readonly [field in keyof Omit<UsageDayRow, 'tenant_id' | 'day'>]: number }

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

  /** Counts requests and work. */
  worked(tenantId: string, { requests, workMs, transferred }: TenantLoad): void {
    const counts = this.#of(tenantId)
    counts.requests += requests
    counts.work_ms += workMs
    counts.transferred += transferred
  }

  /** Notes the memory of a tenant's search indexes. A day has the most that was noted. */
  indexed(tenantId: string, bytes: number): void {
    const counts = this.#of(tenantId)
    counts.index_bytes = Math.max(counts.index_bytes, bytes)
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
          await addToDay(tx, { tenant_id: tenantId, day, ...counts, work_ms: Math.round(counts.work_ms) })
        }
      })
    } catch (error) {
      for (const [key, counts] of batch) addCounts(this.#countsAt(key), counts)
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
    if (counts === undefined) {
      counts = { searches: 0, tokens: 0, requests: 0, work_ms: 0, transferred: 0, index_bytes: 0 }
      this.#pending.set(key, counts)
    }
    return counts
  }
}

/** Adds counts to others of the same tenant and day. */
function addCounts(sum: Counts, { index_bytes: indexBytes, ...more }: Counts): void {
  for (const [field, count] of Object.entries(more)) sum[field as keyof typeof more] += count
  sum.index_bytes = Math.max(sum.index_bytes, indexBytes)
}

/** Returns the day of a time in UTC, such as `2027-02-19`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
