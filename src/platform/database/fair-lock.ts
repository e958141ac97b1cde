import { FairQueue } from '../threads/fair-queue.ts'

/**
 * A lock that owners share by time. The waiting owner that has had the lock for the least time gets it next; an owner's
 * own waiters keep their order. So an owner with long transactions cannot make others wait that long for each of their
 * turns. Idle time is not saved up: a new owner starts with the lowest time of the others (start-time fair queueing: P.
 * Goyal, H. Vin, H. Cheng, SIGCOMM 1996). Used for SQLite's one writer, where one transaction may take a hundred times
 * as long as another. `FairSlots` counts holders, not their time.
 */
export class FairLock {
  readonly #now: () => number
  readonly #waiting = new FairQueue<() => void>()
  /**
   * Milliseconds that each owner has had the lock or was charged for. Owners that have the lock or wait for it are
   * listed, and those above the floor; all others start at the floor.
   */
  readonly #timeOf = new Map<string, number>()
  /** Time of the owner that got the lock last, at the moment when it got the lock. */
  #floor = 0
  #holder: { readonly owner: string; since: number } | null = null

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  get isHeld(): boolean {
    return this.#holder !== null
  }

  /** Number of waiters for the lock. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Resolves when the caller has the lock. Call the returned function to release it. */
  async acquire(owner: string): Promise<() => void> {
    this.#timeOf.set(owner, Math.max(this.#timeOf.get(owner) ?? 0, this.#floor))
    if (this.#holder === null) this.#hold(owner)
    else {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push(owner, resolve)
      await promise
    }
    return () => this.#handOn()
  }

  /**
   * Charges time to the owners that it has served, in equal parts, instead of to the holder of the lock.
   * @param owners one for each part; an owner may have several
   */
  charge(owners: readonly string[], ms: number): void {
    const part = ms / owners.length
    for (const owner of owners) this.#timeOf.set(owner, Math.max(this.#timeOf.get(owner) ?? 0, this.#floor) + part)
    if (this.#holder !== null) this.#holder.since += ms
  }

  #hold(owner: string): void {
    this.#holder = { owner, since: this.#now() }
    this.#floor = Math.max(this.#floor, this.#timeOf.get(owner)!)
  }

  #handOn(): void {
    const { owner, since } = this.#holder!
    this.#timeOf.set(owner, this.#timeOf.get(owner)! + this.#now() - since)
    this.#holder = null
    const next = this.#nextOwner()
    // Owners below the floor start at the floor like newcomers, so their entries can go.
    for (const [each, time] of this.#timeOf)
      if (time <= this.#floor && this.#waiting.countOf(each) === 0) this.#timeOf.delete(each)
    if (next === null) return
    // The lock stays held throughout, so that no newcomer can take it in between.
    this.#hold(next)
    this.#waiting.shift((each) => each === next)!()
  }

  /** Returns the waiting owner with the least time; of several, the one whose turn is next. */
  #nextOwner(): string | null {
    let least: string | null = null
    for (const owner of this.#waiting.owners) {
      if (least === null || this.#timeOf.get(owner)! < this.#timeOf.get(least)!) least = owner
    }
    return least
  }
}
