interface BreakerOptions {
  /** Failures in a row that open the circuit. */
  readonly failuresMax: number
  /** How long it stays open the first time; doubles with every failed probe. */
  readonly openMs: number
  readonly openMaxMs: number
  readonly now: () => number
}

/** What a call was let through as; handed back with its outcome. */
type Permit = 'call' | 'probe'

/**
 * Keeps calls away from a provider that is down (M. Nygard, Release It!, "Circuit Breaker"). Closed: all pass.
 * After several failures in a row it opens: none pass. When the time is up one call passes as a probe, and
 * its outcome closes the circuit or opens it for longer.
 */
export class CircuitBreaker {
  readonly #options: BreakerOptions
  #failures = 0
  /** How often it has opened since it was last closed; 0 is closed. */
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

  /** Lets a call through, or answers the milliseconds after which it is worth asking again. */
  enter(): Permit | number {
    if (this.#openings === 0) return 'call'
    const waitMs = this.#openUntil - this.#options.now()
    if (waitMs > 0) return waitMs
    if (this.#probing) return this.#options.openMs
    this.#probing = true
    return 'probe'
  }

  /** `abandoned` tells nothing of the provider: the caller gave up. */
  leave(permit: Permit, outcome: 'success' | 'failure' | 'abandoned'): void {
    if (permit === 'probe') this.#probing = false
    // Calls from before the circuit opened say nothing new once it has.
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
