import { FairQueue } from '../fair-queue.ts'

/**
 * A lock that whoever waits for it gets in turn: first the parties one after the other, then each party's own
 * waiters in the order they came. However many wait for one party, another waits for one holder of each.
 */
export class FairLock {
  #isHeld = false
  readonly #waiting = new FairQueue<() => void>()

  /** Resolves when the lock is the caller's; the function it gives hands the lock on. */
  async acquire(party: string): Promise<() => void> {
    if (this.#isHeld) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push(party, resolve)
      await promise
    }
    this.#isHeld = true
    return () => this.#handOn()
  }

  #handOn(): void {
    const wake = this.#waiting.shift()
    // Held all along, so that nobody comes in between.
    if (wake === undefined) this.#isHeld = false
    else wake()
  }
}
