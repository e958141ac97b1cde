/**
 * A sleep that can be ended early. A call while nobody sleeps ends the next sleep, because its news may have come too
 * late for the check that was just running.
 */
export class WakeUp {
  #isCalled = false
  #end: (() => void) | null = null

  call(): void {
    this.#isCalled = true
    this.#end?.()
  }

  /**
   * Resolves after `ms`, or when somebody calls or has called since the last sleep.
   * @returns whether somebody called
   */
  async sleep(ms: number): Promise<boolean> {
    if (!this.#isCalled) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      this.#end = resolve
      await promise
      this.#end = null
      clearTimeout(timer)
    }
    const wasCalled = this.#isCalled
    this.#isCalled = false
    return wasCalled
  }
}
