import type { EmbeddingCall } from './telemetry/observed-embedder.ts'

/** Milliseconds after its last failed call from which on nothing is known about a provider that gets no calls. */
const KNOWN_FOR_MS = 15 * 60_000

/**
 * Tells by the calls of a process whether the configured model gives vectors. It makes no calls of its own, which a
 * provider might charge for.
 */
export class ProviderHealth {
  /** Id of the configured embedder. */
  readonly model: string
  readonly #now: () => number
  readonly #unreadReason: () => string | null
  #failingSince: number | null = null
  #failedAt = -Infinity

  /**
   * @param now clock in milliseconds since 1970
   * @param unreadReason tells why texts are not read; see `EmbedderPool.unreadReason`
   */
  constructor(model: string, now: () => number = Date.now, unreadReason: () => string | null = () => null) {
    this.model = model
    this.#now = now
    this.#unreadReason = unreadReason
  }

  /** Why texts are not read by the built-in model that the settings choose; null when they are, or none needs it. */
  get unreadReason(): string | null {
    return this.#unreadReason()
  }

  /**
   * When the first of the latest calls began, all of which failed, in milliseconds since 1970. Null if the last call
   * was answered, and if no call has failed for a while.
   */
  get failingSince(): number | null {
    return this.#now() - this.#failedAt > KNOWN_FOR_MS ? null : this.#failingSince
  }

  /** Takes note of a call that has ended. Calls of other models say nothing about the configured one. */
  note({ model, outcome, durationMs }: EmbeddingCall): void {
    if (model !== this.model || outcome === 'abandoned') return
    if (outcome === 'failed') {
      const now = this.#now()
      this.#failingSince = this.failingSince ?? now - durationMs
      this.#failedAt = now
    } else this.#failingSince = null
  }
}

/**
 * Says that the provider gives no vectors and what waits for it, for the warnings of a status.
 * @param since time as the status has it
 * @param waiting number of texts whose calls have failed
 */
export function failingInWords(since: string, waiting: number): string {
  const wait = waiting === 0 ? '' : `, and ${waiting} ${waiting === 1 ? 'text waits' : 'texts wait'} for it`
  return `The embedding provider has given no vectors since ${since}${wait}`
}

/** Says that texts are not read, for the warnings of a status. @param reason as the status has it */
export function unreadInWords(reason: string): string {
  return `Texts are not read by the contextual model (${reason}): searches by meaning go by the static model alone`
}
