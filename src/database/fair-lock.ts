/**
 * A lock that whoever waits for it gets in turn: first the parties one after the other, then each party's own
 * waiters in the order they came. However many wait for one party, another waits for one holder of each.
 */
export class FairLock {
  #isHeld = false
  /** Who waits, by party; the party whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when the lock is the caller's; the function it gives hands the lock on. */
  async acquire(party: string): Promise<() => void> {
    if (this.#isHeld) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const others = this.#waiting.get(party)
      if (others === undefined) this.#waiting.set(party, [resolve])
      else others.push(resolve)
      await promise
    }
    this.#isHeld = true
    return () => this.#handOn()
  }

  #handOn(): void {
    const next = this.#waiting.entries().next().value
    if (next === undefined) {
      this.#isHeld = false
      return
    }
    const [party, waiters] = next
    const wake = waiters.shift()!
    this.#waiting.delete(party)
    if (waiters.length > 0) this.#waiting.set(party, waiters)
    // Held all along, so that nobody comes in between.
    wake()
  }
}
