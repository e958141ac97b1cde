/** Runs work that no answer waits for. The service waits for the work before it ends. */
export class Background {
  readonly #running = new Set<Promise<void>>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  start(work: () => Promise<unknown>): void {
    const run = work()
      .then(() => undefined, this.#onError)
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  /** Resolves when all started work has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }
}
