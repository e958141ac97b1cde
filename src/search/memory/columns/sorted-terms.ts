/** Searches a sorted list of terms by their beginnings. Terms are compared by code unit. */

/** A term near a word, and the number of edits between them. */
export interface NearTerm {
  readonly term: string
  readonly edits: number
}

/**
 * Returns the range of the sorted `terms` that start with `prefix`: the index of the first, and the one behind the
 * last.
 */
export function rangeOf(terms: readonly string[], prefix: string): readonly [number, number] {
  const from = firstFrom(terms, 0, (term) => term >= prefix)
  return [from, endOf(terms, from, prefix)]
}

/** Returns the end of the run of terms that start with `prefix`; the run begins at `from`. */
function endOf(terms: readonly string[], from: number, prefix: string): number {
  return firstFrom(terms, from, (term) => !term.startsWith(prefix))
}

/** Returns the first index at `from` or behind whose term passes. All terms behind a term that passes must pass too. */
function firstFrom(terms: readonly string[], from: number, passes: (term: string) => boolean): number {
  // Most runs are short, so the steps grow before they are halved.
  let low = from
  let high = from
  for (let step = 1; high < terms.length && !passes(terms[high]); step *= 2) {
    low = high + 1
    high += step
  }
  high = Math.min(high, terms.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (passes(terms[middle])) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Yields the sorted `terms` within `limit` edits of `word`; edits are those of `editDistance`. Terms that begin alike
 * share rows of the table of edits, and a beginning that is too far from `word` skips all terms that begin so (H. Shang
 * and T. H. Merrett, *Tries for approximate string matching*, 1996, here over a list instead of a trie).
 * @param areBegun whether a term is as near as the nearest of its beginnings, because `word` may be unfinished
 * @example
 * ```ts
 * Array.from(nearTerms(['lamp', 'lamps', 'leaf'], 'lmap', 1, false)) // [{ term: 'lamp', edits: 1 }]
 * ```
 */
export function* nearTerms(
  terms: readonly string[],
  word: string,
  limit: number,
  areBegun: boolean,
): Generator<NearTerm, void> {
  const rows = new Rows(word, limit)
  let last = ''
  for (let at = 0; at < terms.length;) {
    const term = terms[at]
    let depth = rows.keep(sharedLength(last, term))
    while (depth < term.length && !rows.isOver(depth)) rows.add(term, depth++)
    last = term
    const edits = areBegun ? rows.leastEnd(depth) : rows.end(depth)
    // The rows of a beginning that is over the limit hold for all terms that begin so.
    const end = rows.isOver(depth) ? endOf(terms, at, term.slice(0, depth)) : at + 1
    if (edits <= limit) for (let i = at; i < end; i++) yield { term: terms[i], edits }
    at = end
  }
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}

/** Rows of the table of edits between a word, across, and the beginnings of a term, down. */
class Rows {
  readonly #word: string
  readonly #limit: number
  /** Row after row; row `d` belongs to the term's first `d` units. */
  #cells: Int32Array
  /** By row, the least cell. */
  readonly #least: number[]
  /** By row, the least last cell of this row and of the rows above. */
  readonly #leastEnds: number[]
  #depth = 0

  constructor(word: string, limit: number) {
    this.#word = word
    this.#limit = limit
    // A longer beginning of a term is always over the limit.
    this.#cells = new Int32Array((word.length + 1) * (word.length + limit + 3))
    for (let i = 0; i <= word.length; i++) this.#cells[i] = i
    this.#least = [0]
    this.#leastEnds = [word.length]
  }

  /**
   * Keeps the rows of the beginning that the next term shares.
   * @returns the length of this beginning, in UTF-16 units
   */
  keep(shared: number): number {
    this.#depth = Math.min(this.#depth, shared)
    return this.#depth
  }

  /**
   * Tells whether no longer beginning can be within the limit. Two rows decide, since a swap refers to the row above.
   */
  isOver(depth: number): boolean {
    return depth > 0 && this.#least[depth] > this.#limit && this.#least[depth - 1] >= this.#limit
  }

  /** Returns the edits of the beginning with `depth` units, or some number above the limit. */
  end(depth: number): number {
    const { length } = this.#word
    return Math.abs(depth - length) > this.#limit ? this.#limit + 1 : this.#cells[depth * (length + 1) + length]
  }

  /** Returns the fewest edits of a beginning with at most `depth` units. */
  leastEnd(depth: number): number {
    return this.#leastEnds[depth]
  }

  /**
   * Adds the row for one unit more than `depth`. Only cells within the limit of the diagonal are computed; the cells
   * beside them count as above the limit (Ukkonen 1985, as in `editDistance`).
   */
  add(term: string, depth: number): void {
    const word = this.#word
    const cells = this.#cells
    const width = word.length + 1
    const above = depth * width
    const row = above + width
    const unit = term.charCodeAt(depth)
    const unitBefore = depth === 0 ? -1 : term.charCodeAt(depth - 1)
    const over = this.#limit + 1
    const from = Math.max(1, depth + 1 - this.#limit)
    const to = Math.min(word.length, depth + 1 + this.#limit)
    cells[row + from - 1] = from === 1 ? depth + 1 : over
    if (to < word.length) cells[row + to + 1] = over
    let least = cells[row + from - 1]
    for (let i = from; i <= to; i++) {
      const other = word.charCodeAt(i - 1)
      let edits = Math.min(
        cells[above + i] + 1,
        cells[row + i - 1] + 1,
        cells[above + i - 1] + (unit === other ? 0 : 1),
      )
      const isSwapped = i > 1 && depth > 0 && unit === word.charCodeAt(i - 2) && unitBefore === other
      if (isSwapped) edits = Math.min(edits, cells[above - width + i - 2] + 1)
      cells[row + i] = edits
      if (edits < least) least = edits
    }
    this.#depth = depth + 1
    this.#least[depth + 1] = least
    this.#leastEnds[depth + 1] = Math.min(this.#leastEnds[depth], this.end(depth + 1))
  }
}
