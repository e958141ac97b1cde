import { FairQueue } from '../fair-queue.ts'

interface Waiter {
  readonly owner: string
  readonly enter: () => void
  isGone: boolean
}

/**
 * A number of slots that owners take turns at. Nobody has more than half of them, so that who comes finds one free,
 * or one that is soon; only what is nobody's, such as looking up who asks, may have all.
 */
export class FairSlots {
  readonly #waiting = new FairQueue<Waiter>()
  readonly #taken = new Map<string, number>()
  readonly #ownMax: number
  readonly #waitMs: number
  #free: number

  /** @param waitMs after which waiting fails */
  constructor(slots: number, waitMs: number) {
    this.#free = slots
    this.#ownMax = Math.max(1, Math.floor(slots / 2))
    this.#waitMs = waitMs
  }

  /** @throws Error when none came free in time */
  async enter(owner: string): Promise<void> {
    if (this.#free > 0 && this.#isDue(owner)) {
      this.#take(owner)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const waiter = { owner, isGone: false, enter: resolve }
      const timer = setTimeout(() => {
        waiter.isGone = true
        reject(new Error('timeout exceeded when trying to connect'))
      }, this.#waitMs)
      waiter.enter = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.push(owner, waiter)
    })
  }

  leave(owner: string): void {
    const left = this.#taken.get(owner)! - 1
    if (left > 0) this.#taken.set(owner, left)
    else this.#taken.delete(owner)
    this.#free++
    while (this.#free > 0) {
      const next = this.#waiting.shift((each) => this.#isDue(each))
      if (next === undefined) return
      if (next.isGone) continue
      this.#take(next.owner)
      next.enter()
    }
  }

  #isDue(owner: string): boolean {
    return owner === '' || (this.#taken.get(owner) ?? 0) < this.#ownMax
  }

  #take(owner: string): void {
    this.#free--
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1)
  }
}
