const WIDE = /[\u0100-\uffff]/

/**
 * Caches values made from short texts. The cache is bounded: it drops a value that was not read during a whole
 * generation.
 */
export class Recent<Value> {
  readonly #make: (text: string) => Value
  readonly #generationSize: number
  readonly #lengthMax: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  /**
   * @param make makes the value of a text
   * @param generationSize number of texts in a generation; the cache has two generations
   * @param lengthMax most UTF-16 units of a cached text; longer texts rarely occur twice
   */
  constructor(make: (text: string) => Value, generationSize: number, lengthMax: number) {
    this.#make = make
    this.#generationSize = generationSize
    this.#lengthMax = lengthMax
  }

  /** Returns the value of a text, from the cache or newly made. */
  of(text: string): Value {
    const cached = this.#young.get(text)
    if (cached !== undefined) return cached
    const copy = copyOf(text)
    const value = this.#old.get(text) ?? this.#make(copy)
    if (text.length <= this.#lengthMax) this.#cache(copy, value)
    return value
  }

  #cache(text: string, value: Value): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(text, value)
  }
}

/** Returns a copy of a text. A slice would keep the whole text from which it was cut in memory. */
function copyOf(text: string): string {
  const encoding = WIDE.test(text) ? 'utf16le' : 'latin1'
  return Buffer.from(text, encoding).toString(encoding)
}
