/** A search for products of some places in the catalogue, by price, the lowest first. */
export interface PriceQuestion {
  readonly from: number
  readonly to: number
  /** Lowest and highest price, both included. */
  readonly low: number
  readonly high: number
}

/** The part of an answer that is judged. */
export interface PriceAnswer {
  readonly total: number
  readonly hits: readonly { readonly place: number; readonly price: number }[]
  /** Most hits that an answer has. */
  readonly limit: number
}

/** How far a push was around a search. */
export interface InFlight {
  /** Lines that were acknowledged before the search began. */
  readonly acknowledged: number
  /** Lines that were sent when the search was answered. */
  readonly sent: number
}

/**
 * Judges searches by price, by brute force, while new prices are pushed in the order of the catalogue. Of an
 * acknowledged line the new price counts, of a line that was not sent the old one. Between them either is right.
 */
export class PriceTruth {
  readonly #old: Float64Array
  readonly #next: Float64Array
  /** Place in the catalogue of the first line. */
  readonly #first: number
  readonly #lines: number

  /**
   * @param old the prices before the push
   * @param next the prices after it
   * @param first place of the first pushed product
   * @param lines number of pushed products, which follow each other
   */
  constructor(old: Float64Array, next: Float64Array, first: number, lines: number) {
    this.#old = old
    this.#next = next
    this.#first = first
    this.#lines = lines
  }

  /** Returns what is wrong with an answer; null if nothing is. */
  faultOf({ from, to, low, high }: PriceQuestion, answer: PriceAnswer, inFlight: InFlight): string | null {
    const fits = (price: number): boolean => price >= low && price <= high
    const { acknowledged, sent } = inFlight
    const isNew = (i: number): boolean => i - this.#first < acknowledged || i >= this.#first + this.#lines
    const isOld = (i: number): boolean => i < this.#first || i - this.#first >= sent
    const pricesOf = (i: number): readonly number[] =>
      isNew(i) ? [this.#next[i]] : isOld(i) ? [this.#old[i]] : [this.#old[i], this.#next[i]]
    for (const { place, price } of answer.hits) {
      if (!(place >= from && place < to)) return `product ${place} is not of the site`
      const prices = pricesOf(place)
      if (!prices.some(fits)) return `product ${place} costs ${prices.join(' or ')}, not ${low} to ${high}`
      if (!prices.includes(price)) return `product ${place} has the price ${price} instead of ${prices.join(' or ')}`
    }
    let certain = 0
    let possible = 0
    // Every product below the last hit is among the hits.
    const last = answer.hits.at(-1)
    const bound = last === undefined || answer.hits.length < answer.limit ? Infinity : Math.min(...pricesOf(last.place))
    const places = new Set(answer.hits.map(({ place }) => place))
    for (let i = from; i < to; i++) {
      const [oldFits, newFits] = [fits(this.#old[i]), fits(this.#next[i])]
      if (!oldFits && !newFits) continue
      const [asNew, asOld] = [isNew(i), isOld(i)]
      const isCertain = asNew ? newFits : asOld ? oldFits : oldFits && newFits
      if (isCertain || (!asNew && !asOld)) possible++
      if (!isCertain) continue
      certain++
      const highest = asNew ? this.#next[i] : asOld ? this.#old[i] : Math.max(this.#old[i], this.#next[i])
      if (highest < bound && !places.has(i)) return `product ${i} at ${highest} is missing`
    }
    if (answer.total >= certain && answer.total <= possible) return null
    return `${answer.total} products instead of ${certain === possible ? certain : `${certain} to ${possible}`}`
  }
}
