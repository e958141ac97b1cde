interface BreakerOptions {
  /** Number of failures in a row that open the circuit. */
  readonly failuresMax: number
  /** Milliseconds that the circuit stays open the first time. Each failed probe doubles them. */
  readonly openMs: number
  /** Most milliseconds that the circuit stays open. */
  readonly openMaxMs: number
  readonly now: () => number
}

/** Permission for a call. The caller gives it back with the call's outcome. */
type Permit = 'call' | 'probe'

/**
 * Keeps calls away from a provider that is down (M. Nygard, Release It!, "Circuit Breaker"). While the circuit is
 * closed, all calls pass. Several failures in a row open it, and no call passes. When its time is up, one call passes
 * as a probe; the probe's outcome closes the circuit or opens it for longer.
 */
export class CircuitBreaker {
  readonly #options: BreakerOptions
  #failures = 0
  /** How often the circuit has opened since it was last closed; 0 while it is closed. */
  #openings = 0
  #openUntil = 0
  #isProbing = false

  constructor(options: BreakerOptions) {
    this.#options = options
  }

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#openings === 0) return 'closed'
    return this.#isProbing || this.#options.now() >= this.#openUntil ? 'half-open' : 'open'
  }

  /** Returns permission for a call, or the milliseconds to wait before the next request for permission. */
  enter(): Permit | number {
    if (this.#openings === 0) return 'call'
    const waitMs = this.#openUntil - this.#options.now()
    if (waitMs > 0) return waitMs
    if (this.#isProbing) return this.#options.openMs
    this.#isProbing = true
    return 'probe'
  }

  /**
   * Takes permission back after a call.
   * @param outcome `abandoned` if the caller gave up, which says nothing about the provider
   */
  leave(permit: Permit, outcome: 'success' | 'failure' | 'abandoned'): void {
    if (permit === 'probe') this.#isProbing = false
    // Calls that started before the circuit opened no longer count.
    else if (this.#openings > 0) return
    if (outcome === 'success') this.#close()
    if (outcome === 'failure') this.#fail(permit)
  }

  #close(): void {
    this.#failures = 0
    this.#openings = 0
  }

  #fail(permit: Permit): void {
    this.#failures++
    if (permit === 'call' && this.#failures < this.#options.failuresMax) return
    const { openMs, openMaxMs, now } = this.#options
    this.#openUntil = now() + Math.min(openMaxMs, openMs * 2 ** Math.min(this.#openings, 30))
    this.#openings++
  }
}
