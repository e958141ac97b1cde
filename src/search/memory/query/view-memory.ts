import type { Outcome } from './search.ts'
import type { Alternative } from '../../ranking/expansion.ts'
import type { SlotSet } from './filters.ts'
import { stringBytes } from '../columns/memory-size.ts'

/** Of one view; beyond it the oldest goes. */
const BYTES_MAX = 4 * 2 ** 20
/** Of one alternative or hit, beside its text: objects and an entry of a list. */
const ITEM_BYTES = 150
/** Of one value, beside its items. */
const VALUE_BYTES = 300

interface Held {
  readonly value: unknown
  readonly bytes: number
}

/**
 * What was found before for a few letters among the documents that a caller may see: the words that they begin, and
 * whole answers. Few letters find the most, and everybody types them: over 50,000 products a key took 1.05 ms of
 * processor time without this and 0.33 ms with it, measured once when it was made.
 */
export class ViewMemory {
  readonly #sets: readonly SlotSet[]
  readonly #held = new Map<string, Held>()
  #heapBytes = 0

  /** @param sets by segment, the visible documents */
  private constructor(sets: readonly SlotSet[]) {
    this.#sets = sets
  }

  /** The memory for these sets of visible documents. The last set holds it, so it ends when a document is added. */
  static of(sets: readonly SlotSet[]): ViewMemory {
    const holder = sets[sets.length - 1]
    if (holder.memory === null || !holder.memory.#isFor(sets)) holder.memory = new ViewMemory(sets)
    return holder.memory
  }

  /** Approximate; all of it on the heap. */
  get heapBytes(): number {
    return this.#heapBytes
  }

  words(key: string, make: () => readonly Alternative[]): readonly Alternative[] {
    return this.#get(`words ${key}`, make, (words) =>
      words.reduce((sum, { term }) => sum + ITEM_BYTES + stringBytes(term), 0),
    )
  }

  answer(key: string, make: () => Outcome): Outcome {
    return this.#get(`answer ${key}`, make, (outcome) => {
      const { hits, facets } = outcome as Exclude<Outcome, Error>
      const values = facets?.keys.flatMap((facet) => facet.values) ?? []
      return ITEM_BYTES * (hits.length + values.length)
    })
  }

  #get<T>(key: string, make: () => T, bytesOf: (made: T) => number): T {
    const held = this.#held.get(key)
    if (held !== undefined) return held.value as T
    const value = make()
    // A search that failed for want of memory may succeed the next time.
    if (value instanceof Error) return value
    const bytes = VALUE_BYTES + stringBytes(key) + bytesOf(value)
    this.#held.set(key, { value, bytes })
    this.#heapBytes += bytes
    while (this.#heapBytes > BYTES_MAX) {
      const [oldest, dropped] = this.#held.entries().next().value!
      this.#held.delete(oldest)
      this.#heapBytes -= dropped.bytes
    }
    return value
  }

  #isFor(sets: readonly SlotSet[]): boolean {
    return sets.length === this.#sets.length && sets.every((set, i) => set === this.#sets[i])
  }
}
