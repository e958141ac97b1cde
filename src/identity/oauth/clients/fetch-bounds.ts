const MINUTE_MS = 60_000

export interface FetchLimits {
  readonly atOnce: number
  readonly perMinute: number
  /** Number of failed addresses that are remembered. */
  readonly remembered: number
}

const LIMITS: FetchLimits = { atOnce: 8, perMinute: 60, remembered: 1_000 }

/**
 * Limits fetches of addresses that callers without a credential name, so that no caller floods or scans other hosts
 * through this service. A fetch beyond the limits is refused at once instead of waiting in a queue: without a
 * credential there is no owner to take turns with.
 */
export class FetchBounds {
  #running = 0
  /** Start times of the fetches of the last minute in milliseconds since 1970, oldest first. */
  readonly #starts: number[] = []
  /** Times when addresses failed in milliseconds since 1970, by address, oldest first. */
  readonly #failedAt = new Map<string, number>()
  readonly #limits: FetchLimits
  readonly #now: () => number

  constructor(limits: FetchLimits = LIMITS, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
  }

  /**
   * Fetches an address within the limits.
   * @param work fetches the address. When it throws or answers isGood=false, the address is refused for a minute.
   * @throws Error when the address may not be fetched now
   */
  async run<T extends { readonly isGood: boolean }>(address: string, work: () => Promise<T>): Promise<T> {
    this.#enter(address)
    let isGood = false
    try {
      const answer = await work()
      isGood = answer.isGood
      return answer
    } finally {
      this.#running--
      if (!isGood) this.#rememberFailed(address)
    }
  }

  #enter(address: string): void {
    const since = this.#now() - MINUTE_MS
    const failedAt = this.#failedAt.get(address)
    if (failedAt !== undefined && failedAt > since) throw new Error('the address failed within the last minute')
    if (this.#running >= this.#limits.atOnce) throw new Error('too many addresses are being fetched at once')
    while (this.#starts.length > 0 && this.#starts[0] <= since) this.#starts.shift()
    if (this.#starts.length >= this.#limits.perMinute)
      throw new Error('too many addresses were fetched within the last minute')
    this.#starts.push(this.#now())
    this.#running++
  }

  #rememberFailed(address: string): void {
    this.#failedAt.delete(address)
    this.#failedAt.set(address, this.#now())
    if (this.#failedAt.size > this.#limits.remembered) this.#failedAt.delete(this.#failedAt.keys().next().value!)
  }
}

/** Limits the documents that one service fetches, for all tenants together. */
export class DocumentBounds {
  readonly #strangers = new FetchBounds()
  readonly #letIn = new FetchBounds()

  /**
   * Returns the limits for a document. Clients that people have let in have limits of their own, so that a stranger who
   * names endless addresses keeps none of them out.
   * @param isLetIn whether a person let the document's client in before
   */
  of(isLetIn: boolean): FetchBounds {
    return isLetIn ? this.#letIn : this.#strangers
  }
}
