const WIDE = /[\u0100-\uffff]/

/**
 * What was made of short texts, so that it is not made again. Bounded: what was not asked for during a whole generation
 * is forgotten.
 */
export class Recent<Value> {
  readonly #make: (text: string) => Value
  readonly #generationSize: number
  readonly #lengthMax: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  /**
   * @param generationSize how many texts a generation holds; two generations are alive
   * @param lengthMax longer texts, in UTF-16 units, are not kept because they rarely occur twice
   */
  constructor(make: (text: string) => Value, generationSize: number, lengthMax: number) {
    this.#make = make
    this.#generationSize = generationSize
    this.#lengthMax = lengthMax
  }

  of(text: string): Value {
    const found = this.#young.get(text)
    if (found !== undefined) return found
    const own = ownCopy(text)
    const value = this.#old.get(text) ?? this.#make(own)
    if (text.length <= this.#lengthMax) this.#keep(own, value)
    return value
  }

  #keep(text: string, value: Value): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(text, value)
  }
}

/** A slice keeps the whole text that it was cut from in memory, so what is kept is made from a copy. */
function ownCopy(text: string): string {
  const encoding = WIDE.test(text) ? 'utf16le' : 'latin1'
  return Buffer.from(text, encoding).toString(encoding)
}
