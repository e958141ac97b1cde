import type { Database } from './database.ts'

/** How long the replica may take to say how far it is. Reading what is asked for takes the primary hardly longer. */
const ASK_MS = 500
/** How long a read may take there before the primary does it. */
const READ_MS = 5_000
/** How long the replica is left alone after it failed. */
const REST_MS = 5_000

interface StandbyOptions {
  readonly askMs?: number
  readonly readMs?: number
  readonly restMs?: number
  /** Clock in milliseconds. */
  readonly now?: () => number
}

/**
 * A streaming replica of the database (a standby, as PostgreSQL calls it) that long reads go to. It lags behind, by
 * milliseconds or hours, so it is asked for each read how far it is. Its commits become visible in the order of the
 * primary's: with a tenant's number it has everything up to it. It must be one server: another one behind the same
 * address may be further behind.
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
   * Whether the replica has a tenant's changes up to a number, and the vectors of the model that its searches compare
   * with. False while it is away; then it is asked again after five seconds.
   */
  async has({ tenantId, model, watermark }: { tenantId: string; model: string | null; watermark: number }) {
    if (this.#now() < this.#restsUntilMs) return false
    const reached = this.database.queries
      .selectFrom('tenants')
      .select(['watermark', 'embedding_model'])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst()
    const found = await this.#within(this.#askMs, reached).catch(() => undefined)
    return found !== undefined && found.watermark >= watermark && found.embedding_model === model
  }

  /** The outcome of a read from the replica. @throws Error when it fails or takes too long: read from the primary then */
  read<T>(work: Promise<T>): Promise<T> {
    return this.#within(this.#readMs, work)
  }

  close(): Promise<void> {
    return this.database.close()
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the replica did not answer within ${ms} ms`)), ms)
    })
    try {
      return await Promise.race([work, late])
    } catch (error) {
      this.#restsUntilMs = this.#now() + this.#restMs
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}
