const MINUTE_MS = 60_000

export interface FetchLimits {
  readonly atOnce: number
  readonly perMinute: number
  /** How many failed addresses are remembered. */
  readonly remembered: number
}

const LIMITS: FetchLimits = { atOnce: 8, perMinute: 60, remembered: 1_000 }

/**
 * Limits fetches of addresses that callers without a credential name, so that nobody floods or scans others through
 * nor scans others for them. What is too much is refused at once and waits for nothing, for there is no owner whose turn
 * could come.
 */
export class FetchBounds {
  #running = 0
  /** Start times of the fetches of the last minute, oldest first. */
  readonly #begun: number[] = []
  /** Times when addresses failed, oldest first. */
  readonly #failedAt = new Map<string, number>()
  readonly #limits: FetchLimits
  readonly #now: () => number

  constructor(limits: FetchLimits = LIMITS, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
  }

  /**
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
    while (this.#begun.length > 0 && this.#begun[0] <= since) this.#begun.shift()
    if (this.#begun.length >= this.#limits.perMinute)
      throw new Error('too many addresses were fetched within the last minute')
    this.#begun.push(this.#now())
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
  readonly #known = new FetchBounds()

  /**
   * Known and unknown clients are limited apart, so that a stranger who names endless addresses keeps no known one out.
   * @param isKnown whether somebody let the document's client in before
   */
  of(isKnown: boolean): FetchBounds {
    return isKnown ? this.#known : this.#strangers
  }
}
