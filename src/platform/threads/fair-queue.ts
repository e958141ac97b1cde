/**
 * Orders waiting items so that owners take turns: first one item of each owner, then the next of each; an owner's items
 * keep their order. Code that uses the queue decides which items wait and for how long (docs/architecture.md).
 */
export class FairQueue<T> {
  /** Waiting items by owner, in the order of the owners' turns. */
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Number of waiting items of all owners. */
  get size(): number {
    return this.#size
  }

  /** Owners with waiting items, the next one first. */
  get owners(): Iterable<string> {
    return this.#waiting.keys()
  }

  countOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0
  }

  /**
   * Owner with the most waiting items; of several, the one whose turn is next. Undefined when the queue is empty.
   */
  get longest(): string | undefined {
    let longest: string | undefined
    for (const owner of this.owners) {
      if (longest === undefined || this.countOf(owner) > this.countOf(longest)) longest = owner
    }
    return longest
  }

  push(owner: string, item: T): void {
    this.#size++
    const waiting = this.#waiting.get(owner)
    if (waiting === undefined) this.#waiting.set(owner, [item])
    else waiting.push(item)
  }

  /**
   * Removes and returns the next item; undefined when there is none.
   * @param isDue tells whether an owner may have a turn now; other owners are passed over and keep their place
   */
  shift(isDue: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, waiting] of this.#waiting) {
      if (!isDue(owner)) continue
      const item = waiting.shift()
      this.#size--
      this.#waiting.delete(owner)
      if (waiting.length > 0) this.#waiting.set(owner, waiting)
      return item
    }
    return undefined
  }

  /** Removes and returns the newest item of an owner without using its turn; undefined when the owner has none. */
  pop(owner: string): T | undefined {
    const waiting = this.#waiting.get(owner)
    return waiting === undefined ? undefined : this.#take(owner, waiting, waiting.length - 1)
  }

  /** Removes an item that gives up its turn, if it is waiting. */
  remove(owner: string, item: T): void {
    const waiting = this.#waiting.get(owner)
    const at = waiting?.indexOf(item) ?? -1
    if (waiting !== undefined && at >= 0) this.#take(owner, waiting, at)
  }

  #take(owner: string, waiting: T[], at: number): T {
    const [item] = waiting.splice(at, 1)
    this.#size--
    if (waiting.length === 0) this.#waiting.delete(owner)
    return item
  }
}
