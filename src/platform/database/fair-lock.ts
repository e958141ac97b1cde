import { FairQueue } from '../threads/fair-queue.ts'

/**
 * A lock that owners share by time: of those who wait, whoever has held it least gets it next, each owner's own
 * waiters in the order they came. One that holds it for long does not make another with much to do wait as long for
 * each of its turns. Nobody saves time up: an owner begins with what the least of the others has had (start-time fair
 * queueing: P. Goyal, H. Vin, H. Cheng, SIGCOMM 1996). For SQLite's one writer, where a transaction of one may take a
 * hundred times as long as another's; `FairSlots` counts holders and not their time.
 */
export class FairLock {
  readonly #now: () => number
  readonly #waiting = new FairQueue<() => void>()
  /** How long each owner has held it, in milliseconds, of those who hold or wait for it. */
  readonly #had = new Map<string, number>()
  /** What whoever got it last had had by then. */
  #floor = 0
  #holder: { readonly owner: string; readonly since: number } | null = null

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /** Resolves when the lock is the caller's; the function it gives hands the lock on. */
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

  #hold(owner: string): void {
    this.#holder = { owner, since: this.#now() }
    this.#floor = Math.max(this.#floor, this.#had.get(owner)!)
  }

  #handOn(): void {
    const { owner, since } = this.#holder!
    this.#had.set(owner, this.#had.get(owner)! + this.#now() - since)
    this.#holder = null
    const next = this.#leastHad()
    // Those who are far enough behind begin like anybody who comes.
    for (const [each, had] of this.#had)
      if (had <= this.#floor && this.#waiting.countOf(each) === 0) this.#had.delete(each)
    if (next === null) return
    // Held all along, so that nobody comes in between.
    this.#hold(next)
    this.#waiting.shift((each) => each === next)!()
  }

  /** Of those who wait; where several have had as much, the one whose turn is next. */
  #leastHad(): string | null {
    let least: string | null = null
    for (const owner of this.#waiting.owners) {
      if (least === null || this.#had.get(owner)! < this.#had.get(least)!) least = owner
    }
    return least
  }
}
