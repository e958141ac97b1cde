/** The values of a facet field by slot, so that counting walks what qualified and not what there is. */
export class FacetColumn {
  /** The values that occur; their places are their numbers. */
  readonly values: string[] = []
  readonly #numbers = new Map<string, number>()
  /** Number of a slot's first value; undefined where it has none. */
  readonly #first: (number | undefined)[] = []
  /** The numbers of its other values, for the few slots that have several. */
  readonly #more = new Map<number, number[]>()

  /** Approximate memory. */
  get bytes(): number {
    return this.#first.length * 8 + this.values.length * 120 + this.#more.size * 120
  }

  /** A slot's values may come in any order, each once. */
  add(slot: number, value: string): void {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.values.push(value) - 1
      this.#numbers.set(value, number)
    }
    while (this.#first.length <= slot) this.#first.push(undefined)
    if (this.#first[slot] === undefined) {
      this.#first[slot] = number
      return
    }
    const more = this.#more.get(slot)
    if (more === undefined) this.#more.set(slot, [number])
    else more.push(number)
  }

  /** Calls `visit` with the number of each of the slot's values. */
  each(slot: number, visit: (number: number) => void): void {
    const first = this.#first[slot]
    if (first === undefined) return
    visit(first)
    if (this.#more.size > 0) for (const number of this.#more.get(slot) ?? []) visit(number)
  }
}
