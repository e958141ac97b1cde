/** Most queries of which the vectors are kept. */
const QUERIES_MAX = 2_048
/** Most characters of a query that is kept. */
const CHARACTERS_MAX = 512
/** Most numbers of all vectors that are kept, 16 MiB: 2,048 vectors of the longest of the usual models. */
const NUMBERS_MAX = 4 * 2 ** 20
/** Milliseconds after which a vector is asked for again, since a provider may have another model by then. */
const KEPT_FOR_MS = 60 * 60_000

interface KeptVector {
  readonly vector: Float32Array
  readonly at: number
}

/** Asks a model for the vector of a query. */
type Ask = () => Promise<Float32Array>

/** Checks a vector that was kept: what it is compared with may have changed. @throws when it is wrong */
type Check = (vector: Float32Array) => Promise<Float32Array>

/**
 * Keeps the vectors of the last queries in memory, since people ask many things again, and pages ask for the next one.
 * What one tenant asked is not kept for another one, which could tell it by the time of an answer.
 */
export class RecentQueries {
  readonly #now: () => number
  /** In the order of their last use. */
  readonly #kept = new Map<string, KeptVector>()
  readonly #asked = new Map<string, Promise<Float32Array>>()
  #numbers = 0

  /** @param now clock in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Number of vectors that are kept. */
  get size(): number {
    return this.#kept.size
  }

  /**
   * Returns the vector of a query: one that was kept, one that another call is waiting for, or a new one. Callers must
   * not change it.
   * @throws what `ask` throws, of which nothing is kept
   */
  async vectorOf(tenantId: string, model: string, query: string, ask: Ask, check: Check): Promise<Float32Array> {
    if (query.length > CHARACTERS_MAX) return ask()
    const key = JSON.stringify([tenantId, model, query])
    const kept = this.#youngAt(key)
    if (kept !== null) {
      try {
        const vector = await check(kept.vector)
        this.#keep(key, kept)
        return vector
      } catch {
        // The model that gave it may have gone meanwhile, so it is asked for again.
        this.#drop(key)
      }
    }
    return this.#asked.get(key) ?? this.#ask(key, ask)
  }

  #ask(key: string, ask: Ask): Promise<Float32Array> {
    const asked = ask()
      .then((vector) => {
        this.#keep(key, { vector, at: this.#now() })
        return vector
      })
      .finally(() => this.#asked.delete(key))
    this.#asked.set(key, asked)
    return asked
  }

  /** Returns the vector that is kept under a key; null when there is none that is young enough. */
  #youngAt(key: string): KeptVector | null {
    const kept = this.#kept.get(key)
    return kept === undefined || this.#now() - kept.at > KEPT_FOR_MS ? null : kept
  }

  /** Keeps a vector as the one that was used last, and forgets those that were not used for longest. */
  #keep(key: string, kept: KeptVector): void {
    this.#drop(key)
    this.#kept.set(key, kept)
    this.#numbers += kept.vector.length
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= QUERIES_MAX && this.#numbers <= NUMBERS_MAX) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    this.#kept.delete(key)
    this.#numbers -= kept.vector.length
  }
}
