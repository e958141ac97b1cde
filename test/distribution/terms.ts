/** Terms that columns, parameters and constants stand for. Two that a statement says are equal become one. */
export class Terms {
  readonly #parents: number[] = []
  readonly #values = new Map<string, number>()
  /** Terms that a parameter or a constant gives a value. */
  readonly #fixed = new Set<number>()

  /** Makes a term that is equal to no other yet. */
  make(): number {
    return this.#parents.push(this.#parents.length) - 1
  }

  /** Returns the term of a parameter or constant; the same for the same name. */
  valueOf(name: string): number {
    let term = this.#values.get(name)
    if (term === undefined) {
      term = this.make()
      this.#values.set(name, term)
      this.#fixed.add(term)
    }
    return term
  }

  /** Number of terms; the next term has this number. */
  get count(): number {
    return this.#parents.length
  }

  /**
   * Runs `work`, whose equalities do not hold for every row. Terms that it makes also have the equalities from outside.
   * Terms from before keep theirs: they become equal neither to each other nor to a value.
   * @param learns tells which terms from before become equal all the same
   */
  within<T>(work: () => T, learns: (term: number) => boolean = () => false): T {
    const before = [...this.#parents]
    const fixed = new Set(this.#fixed)
    const result = work()
    const values = new Set(this.#values.values())
    const groups = Map.groupBy(this.#parents.keys(), (term) => this.rootOf(term))
    for (const term of this.#parents.keys()) this.#parents[term] = before[term] ?? term
    this.#fixed.clear()
    for (const term of fixed.union(values)) this.#fixed.add(term)
    for (const group of groups.values()) {
      const learners = group.filter((term) => !values.has(term) && (term >= before.length || learns(term)))
      const source = group.find((term) => values.has(term)) ?? group.find((term) => !learners.includes(term))
      for (const learner of learners) this.equate(learner, source ?? learners[0])
    }
    return result
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

  /** Tells whether a parameter or a constant says what the term is. */
  isFixed(term: number): boolean {
    return this.#fixed.has(this.rootOf(term))
  }
}
