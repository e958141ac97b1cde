/**
 * The order in which owners take turns, for everything that serves them so: first one of each, then each owner's own in
 * the order they came. It only orders; what waits and until when is up to its users (docs/architecture.md).
 */
export class FairQueue<T> {
  /** The owner whose turn is next comes first. */
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** How many wait, of all owners. */
  get size(): number {
    return this.#size
  }

  /** Those who wait, the one whose turn is next first. */
  get owners(): Iterable<string> {
    return this.#waiting.keys()
  }

  countOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0
  }

  /** The owner with most waiting, of several the one whose turn is next; undefined when nobody waits. */
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
   * Takes out whose turn it is; undefined when nobody waits.
   * @param isDue whether an owner may have a turn now; who may not is passed over and keeps its place
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

  /** Takes out the one of an owner that came last, which costs the owner no turn; undefined when none waits. */
  pop(owner: string): T | undefined {
    const waiting = this.#waiting.get(owner)
    return waiting === undefined ? undefined : this.#take(owner, waiting, waiting.length - 1)
  }

  /** Takes out one that no longer wants its turn, if it waits. */
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
