/** A queue in which owners take turns: first one of each, then each owner's own in the order they came. */
export class FairQueue<T> {
  /** The owner whose turn is next comes first. */
  readonly #waiting = new Map<string, T[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Those who wait, the one whose turn is next first. */
  get owners(): Iterable<string> {
    return this.#waiting.keys()
  }

  has(owner: string): boolean {
    return this.#waiting.has(owner)
  }

  push(owner: string, item: T): void {
    const waiting = this.#waiting.get(owner)
    if (waiting === undefined) this.#waiting.set(owner, [item])
    else waiting.push(item)
  }

  /**
   * Takes out whose turn it is; undefined when nobody waits.
   * @param isDue whether an owner may have a turn now; who may not is passed over and keeps its place
   */
  shift(isDue: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, waiting] of this.#waiting) {
      if (!isDue(owner)) continue
      const item = waiting.shift()
      this.#waiting.delete(owner)
      if (waiting.length > 0) this.#waiting.set(owner, waiting)
      return item
    }
    return undefined
  }
}
