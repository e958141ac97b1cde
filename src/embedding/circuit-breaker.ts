interface BreakerOptions {
  /** Failures in a row that open the circuit. */
  readonly failuresMax: number
  /** How long the circuit stays open the first time; each failed probe doubles it. */
  readonly openMs: number
  readonly openMaxMs: number
  readonly now: () => number
}

/** How a call was let through; the caller returns it with the call's outcome. */
type Permit = 'call' | 'probe'

/**
 * Keeps calls away from a provider that is down (M. Nygard, Release It!, "Circuit Breaker"). While the circuit is
 * closed, all calls pass. Several failures in a row open it, and no call passes. When its time is up, one call passes
 * as a probe; the probe's outcome closes the circuit or opens it for longer.
 */
export class CircuitBreaker {
  readonly #options: BreakerOptions
  #failures = 0
  /** How often it has opened since it was last closed; 0 while closed. */
  #openings = 0
  #openUntil = 0
  #probing = false

  constructor(options: BreakerOptions) {
    this.#options = options
  }

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#openings === 0) return 'closed'
    return this.#probing || this.#options.now() >= this.#openUntil ? 'half-open' : 'open'
  }

  /** Lets a call through, or returns the milliseconds to wait before asking again. */
  enter(): Permit | number {
    if (this.#openings === 0) return 'call'
    const waitMs = this.#openUntil - this.#options.now()
    if (waitMs > 0) return waitMs
    if (this.#probing) return this.#options.openMs
    this.#probing = true
    return 'probe'
  }

  /** `abandoned` says nothing about the provider: the caller gave up. */
  leave(permit: Permit, outcome: 'success' | 'failure' | 'abandoned'): void {
    if (permit === 'probe') this.#probing = false
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
