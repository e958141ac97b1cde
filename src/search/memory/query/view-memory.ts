import type { Partition } from '../../analysis/analysis.ts'
import type { Alternative } from '../../ranking/expansion.ts'
import type { Bits } from '../columns/bitset.ts'
import { stringBytes } from '../columns/memory-size.ts'
import type { Outcome } from './outcome.ts'

/** Bytes that the memory of one view may take; beyond them the oldest values are dropped. */
const BYTES_MAX = 4 * 2 ** 20
/** Bytes of an alternative or a hit beside its text: objects and an entry of a list. */
const ITEM_BYTES = 150
/** Bytes of a value beside its items. */
const VALUE_BYTES = 300

/** A set of living slots, with keyword statistics over the set that are computed when needed. */
export interface SlotSet {
  readonly bits: Bits
  readonly count: number
  /** Whether the set has every slot of the segment. */
  readonly isWhole: boolean
  /** Sum of the weighted lengths; null until computed. */
  lengthSum: number | null
  /** Documents of the set in each partition; empty until computed. */
  readonly partitionCounts: Map<Partition, number>
  /** Documents of the set that contain a term, by partition and term. */
  readonly documentFrequencies: Map<string, number>
  /** Results of earlier searches over this set and the sets of the segments before it; null until there are any. */
  memory: ViewMemory | null
}

interface CachedValue {
  readonly value: unknown
  readonly bytes: number
}

/**
 * Results of earlier searches for a few letters among the documents that a caller may see: the words that begin with
 * these letters, and whole answers. A few letters match the most documents, and every visitor types them: over 50,000
 * products a key took 1.05 ms of processor time without this memory and 0.33 ms with it, measured once when it was
 * made.
 */
export class ViewMemory {
  readonly #sets: readonly SlotSet[]
  readonly #values = new Map<string, CachedValue>()
  #heapBytes = 0

  /** @param sets by segment, the visible documents */
  private constructor(sets: readonly SlotSet[]) {
    this.#sets = sets
  }

  /** Returns the memory for these sets. The set of the last segment holds it, so an added document ends the memory. */
  static of(sets: readonly SlotSet[]): ViewMemory {
    const holder = sets[sets.length - 1]
    if (holder.memory === null || !holder.memory.#isFor(sets)) holder.memory = new ViewMemory(sets)
    return holder.memory
  }

  /** Approximate bytes, all on the heap. */
  get heapBytes(): number {
    return this.#heapBytes
  }

  /** Returns the words of a key, which `make` finds where they are not cached. */
  words(key: string, make: () => readonly Alternative[]): readonly Alternative[] {
    return this.#get(`words ${key}`, make, (words) =>
      words.reduce((sum, { term }) => sum + ITEM_BYTES + stringBytes(term), 0),
    )
  }

  /** Returns the answer of a key, which `make` finds where it is not cached. */
  answer(key: string, make: () => Outcome): Outcome {
    return this.#get(`answer ${key}`, make, (outcome) => {
      const { hits, facets } = outcome as Exclude<Outcome, Error>
      const values = facets?.keys.flatMap((facet) => facet.values) ?? []
      return ITEM_BYTES * (hits.length + values.length)
    })
  }

  #get<T>(key: string, make: () => T, bytesOf: (value: T) => number): T {
    const cached = this.#values.get(key)
    // Each key begins with the kind of its value, so the value has the type that its caller stored.
    if (cached !== undefined) return cached.value as T
    const value = make()
    // A search that failed for want of memory may succeed the next time.
    if (value instanceof Error) return value
    const bytes = VALUE_BYTES + stringBytes(key) + bytesOf(value)
    this.#values.set(key, { value, bytes })
    this.#heapBytes += bytes
    while (this.#heapBytes > BYTES_MAX) {
      const [oldest, dropped] = this.#values.entries().next().value!
      this.#values.delete(oldest)
      this.#heapBytes -= dropped.bytes
    }
    return value
  }

  #isFor(sets: readonly SlotSet[]): boolean {
    return sets.length === this.#sets.length && sets.every((set, i) => set === this.#sets[i])
  }
}
