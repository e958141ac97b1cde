import { faultOf } from '../storage-faults.ts'

const RETRY_MS = 100

/**
 * Hides short absences of a database that has answered before: whoever needs a connection meanwhile waits. After
 * `waitMs` without a single success everybody fails at once, until a connection opens again, so that a long absence does
 * not pile up requests.
 */
export class Patience {
  readonly #waitMs: number
  #hasAnswered = false
  #absentSinceMs: number | null = null

  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** @throws what `open` throws when waiting does not help, or has not helped for too long */
  async connect<T>(open: () => Promise<T>): Promise<T> {
    for (;;) {
      const startedMs = performance.now()
      try {
        const opened = await open()
        this.#hasAnswered = true
        this.#absentSinceMs = null
        return opened
      } catch (error) {
        if (!this.#hasAnswered || faultOf(error)?.kind !== 'unavailable') throw error
        this.#absentSinceMs ??= startedMs
        if (performance.now() - this.#absentSinceMs + RETRY_MS > this.#waitMs) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
