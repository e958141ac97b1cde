/**
 * Sleeps until the time is up or a call ends the sleep. A call that comes while no sleep runs ends the next sleep at
 * once, because its news may have come too late for the check before that sleep.
 */
export class WakeUp {
  #isCalled = false
  #end: (() => void) | null = null

  /** Ends the running sleep, or the next one. */
  call(): void {
    this.#isCalled = true
    this.#end?.()
  }

  /**
   * Resolves after `ms`, or earlier at a call, or at once if a call came since the last sleep.
   * @returns whether there was a call
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
