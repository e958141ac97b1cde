import { isRefusal } from '../refusal.ts'

/** PostgreSQL runs and does not serve this program. The message is for the operator. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}

interface RefusalWatchOptions {
  /** Rejects with the driver's error when the database does not let a new connection in. */
  readonly tryEntry: () => Promise<unknown>
  /** Milliseconds for which the database may refuse every new connection. */
  readonly patienceMs: number
  readonly intervalMs?: number
  /** Called once when refusals begin. */
  readonly onRefused: (error: Error) => void
}

const INTERVAL_MS = 5_000

/**
 * Tries in the background whether the database still lets new connections in. Open connections outlive a changed
 * password, so the success of statements proves nothing.
 */
export class RefusalWatch {
  /** Resolves when the database has refused new connections without a break for `patienceMs`. */
  readonly lasting: Promise<DatabaseRefused>
  readonly #options: RefusalWatchOptions
  readonly #timer: NodeJS.Timeout
  readonly #giveUp: (refused: DatabaseRefused) => void
  #refusedSinceMs: number | null = null
  #trying: Promise<void> | null = null

  constructor(options: RefusalWatchOptions) {
    const { promise, resolve } = Promise.withResolvers<DatabaseRefused>()
    this.lasting = promise
    this.#giveUp = resolve
    this.#options = options
    this.#timer = setInterval(() => (this.#trying ??= this.#try()), options.intervalMs ?? INTERVAL_MS)
    this.#timer.unref()
  }

  /** Whether the database refused the last connection that was tried. */
  get isRefused(): boolean {
    return this.#refusedSinceMs !== null
  }

  /** Resolves when no connection is tried any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#trying
  }

  async #try(): Promise<void> {
    const { tryEntry, patienceMs, onRefused } = this.#options
    const startedMs = performance.now()
    try {
      await tryEntry()
      this.#refusedSinceMs = null
    } catch (error) {
      // A database that is away does not refuse: it may come back and let this program in.
      if (!(error instanceof Error && isRefusal(error))) this.#refusedSinceMs = null
      else {
        if (this.#refusedSinceMs === null) onRefused(error)
        this.#refusedSinceMs ??= startedMs
        if (performance.now() - this.#refusedSinceMs >= patienceMs) this.#giveUp(lastingRefusal(error, patienceMs))
      }
    } finally {
      this.#trying = null
    }
  }
}

function lastingRefusal(cause: Error, patienceMs: number): DatabaseRefused {
  return new DatabaseRefused(
    `PostgreSQL has refused new connections for ${patienceMs / 1_000} seconds: ${cause.message}. ` +
      'Check DATABASE_URL, and the role and database that it names, then start the service again.',
    { cause },
  )
}
