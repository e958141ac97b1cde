import { within } from '../within.ts'
import type { Database } from './database.ts'

/** Time for the replica to say how far it is. A read from the primary takes hardly longer. */
const ASK_MS = 500
/** Time for a read from the replica, after which the primary does it. */
const READ_MS = 5_000
/** Time that the replica is left alone after it failed. */
const REST_MS = 5_000

interface StandbyOptions {
  readonly askMs?: number
  readonly readMs?: number
  readonly restMs?: number
  /** Clock in milliseconds. */
  readonly now?: () => number
}

/**
 * Streaming replica of the database (a standby, as PostgreSQL calls it) for long reads. The replica lags behind the
 * primary by milliseconds or hours, so each read first asks how far it is. Commits become visible in the order of the
 * primary: a replica that has a tenant's watermark has all changes up to it. The address must lead to one server only,
 * because another server may be further behind.
 */
export class Standby {
  readonly database: Database
  readonly #askMs: number
  readonly #readMs: number
  readonly #restMs: number
  readonly #now: () => number
  #restsUntilMs = -Infinity

  constructor(database: Database, options: StandbyOptions = {}) {
    const { askMs = ASK_MS, readMs = READ_MS, restMs = REST_MS, now = () => performance.now() } = options
    this.database = database
    this.#askMs = askMs
    this.#readMs = readMs
    this.#restMs = restMs
    this.#now = now
  }

  /**
   * Tells whether the replica has a tenant's changes up to a watermark, and the vectors of the model that the tenant's
   * searches compare with. False while the replica is away; after five seconds the next call asks it again.
   */
  async has({ tenantId, model, watermark }: { tenantId: string; model: string | null; watermark: number }) {
    if (this.#now() < this.#restsUntilMs) return false
    const query = this.database.queries
      .selectFrom('tenants')
      .select(['watermark', 'embedding_model'])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst()
    const row = await this.#within(this.#askMs, query).catch(() => undefined)
    return row !== undefined && row.watermark >= watermark && row.embedding_model === model
  }

  /**
   * Returns the result of a read from the replica.
   * @throws Error when it fails or takes too long: then read from the primary
   */
  read<T>(work: Promise<T>): Promise<T> {
    return this.#within(this.#readMs, work)
  }

  close(): Promise<void> {
    return this.database.close()
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    try {
      return await within(ms, work, () => new Error(`the replica did not answer within ${ms} ms`))
    } catch (error) {
      this.#restsUntilMs = this.#now() + this.#restMs
      throw error
    }
  }
}
