import { faultOf } from '../storage-faults.ts'

const RETRY_MS = 100

/**
 * Hides short absences of a database that has answered before: work that needs a connection meanwhile waits. After
 * `waitMs` without a single success all work fails at once, until a connection opens again, so that requests do not
 * pile up during a long absence.
 */
export class Patience {
  readonly #waitMs: number
  #hasAnswered = false
  #absentSinceMs: number | null = null

  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** Opens a connection. @throws the error of `open` when waiting does not help, or has not helped for too long */
  async connect<T>(open: () => Promise<T>): Promise<T> {
    for (;;) {
      const startedMs = performance.now()
      try {
        const connection = await open()
        this.#hasAnswered = true
        this.#absentSinceMs = null
        return connection
      } catch (error) {
        if (!this.#hasAnswered || faultOf(error)?.kind !== 'unavailable') throw error
        this.#absentSinceMs ??= startedMs
        if (performance.now() - this.#absentSinceMs + RETRY_MS > this.#waitMs) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
