import { FairQueue } from '../threads/fair-queue.ts'

/**
 * A lock that owners share by time. The waiting owner that has held the lock least gets it next; an owner's own waiters
 * keep their order. So an owner with long holds cannot make others wait that long for each of their turns. Idle time is
 * not saved up: a new owner starts with the lowest time of the others (start-time fair queueing: P. Goyal, H. Vin, H.
 * Cheng, SIGCOMM 1996). Used for SQLite's one writer, where one transaction may take a hundred times as long as
 * another; `FairSlots` counts holders, not their time.
 */
export class FairLock {
  readonly #now: () => number
  readonly #waiting = new FairQueue<() => void>()
  /**
   * Milliseconds that each owner has held the lock or was charged for, of owners that hold it, wait for it or have had more
   * than the floor. All others start at the floor.
   */
  readonly #had = new Map<string, number>()
  /** Held time of the owner that got the lock last, when it got it. */
  #floor = 0
  #holder: { readonly owner: string; since: number } | null = null

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  get isHeld(): boolean {
    return this.#holder !== null
  }

  /** How many wait for the lock. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Resolves when the caller has the lock. Call the returned function to release it. */
  async acquire(owner: string): Promise<() => void> {
    this.#had.set(owner, Math.max(this.#had.get(owner) ?? 0, this.#floor))
    if (this.#holder === null) this.#hold(owner)
    else {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push(owner, resolve)
      await promise
    }
    return () => this.#handOn()
  }

  /**
   * Counts time that served some owners to them, in equal parts, and not to the holder of the lock.
   * @param owners one for each part; an owner may have several
   */
  charge(owners: readonly string[], ms: number): void {
    const part = ms / owners.length
    for (const owner of owners) this.#had.set(owner, Math.max(this.#had.get(owner) ?? 0, this.#floor) + part)
    if (this.#holder !== null) this.#holder.since += ms
  }

  #hold(owner: string): void {
    this.#holder = { owner, since: this.#now() }
    this.#floor = Math.max(this.#floor, this.#had.get(owner)!)
  }

  #handOn(): void {
    const { owner, since } = this.#holder!
    this.#had.set(owner, this.#had.get(owner)! + this.#now() - since)
    this.#holder = null
    const next = this.#leastHad()
    // Owners below the floor start at the floor like newcomers, so their entries can go.
    for (const [each, had] of this.#had)
      if (had <= this.#floor && this.#waiting.countOf(each) === 0) this.#had.delete(each)
    if (next === null) return
    // The lock stays held throughout, so that no newcomer can take it in between.
    this.#hold(next)
    this.#waiting.shift((each) => each === next)!()
  }

  /** The waiting owner with the least time; of several, the one whose turn is next. */
  #leastHad(): string | null {
    let least: string | null = null
    for (const owner of this.#waiting.owners) {
      if (least === null || this.#had.get(owner)! < this.#had.get(least)!) least = owner
    }
    return least
  }
}
