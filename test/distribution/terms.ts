/** What a column, a parameter or a constant stands for. Two that a statement says are equal become one. */
export class Terms {
  readonly #parents: number[] = []
  readonly #values = new Map<string, number>()
  /** Terms that a parameter or a constant gives a value. */
  readonly #fixed = new Set<number>()

  /** A new term that is equal to no other yet. */
  make(): number {
    return this.#parents.push(this.#parents.length) - 1
  }

  /** The term of a parameter or constant; the same for the same name. */
  valueOf(name: string): number {
    let term = this.#values.get(name)
    if (term === undefined) {
      term = this.make()
      this.#values.set(name, term)
      this.#fixed.add(term)
    }
    return term
  }

  equate(one: number, other: number): void {
    const [from, to] = [this.rootOf(one), this.rootOf(other)]
    if (from === to) return
    this.#parents[from] = to
    if (this.#fixed.has(from)) this.#fixed.add(to)
  }

  rootOf(term: number): number {
    let root = term
    while (this.#parents[root] !== root) root = this.#parents[root]
    return root
  }

  areEqual(one: number, other: number): boolean {
    return this.rootOf(one) === this.rootOf(other)
  }

  /** Whether a parameter or a constant says what the term is. */
  isFixed(term: number): boolean {
    return this.#fixed.has(this.rootOf(term))
  }
}
