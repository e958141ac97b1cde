import type { Alternative } from '../expansion.ts'
import type { SlotSet } from './filters.ts'
import { stringBytes } from './memory-size.ts'

/** Beginnings kept for one view; when there are more, the oldest goes. */
const HELD_MAX = 256
/** Of one alternative, beside its term: three objects and an entry of a list. */
const ALTERNATIVE_BYTES = 150

/** The words that beginnings stand for, as far as they were asked for, among the documents that one caller may see. */
export class WordMemory {
  readonly #sets: readonly SlotSet[]
  readonly #held = new Map<string, readonly Alternative[]>()
  #heapBytes = 0

  /** @param sets by segment, the visible documents */
  private constructor(sets: readonly SlotSet[]) {
    this.#sets = sets
  }

  /** The memory for these sets of visible documents. The last set holds it, so it ends when a document is added. */
  static of(sets: readonly SlotSet[]): WordMemory {
    const holder = sets[sets.length - 1]
    if (holder.words === null || !holder.words.#isFor(sets)) holder.words = new WordMemory(sets)
    return holder.words
  }

  /** Approximate; all of it on the heap. */
  get heapBytes(): number {
    return this.#heapBytes
  }

  get(beginning: string, make: () => readonly Alternative[]): readonly Alternative[] {
    const held = this.#held.get(beginning)
    if (held !== undefined) return held
    const made = make()
    this.#held.set(beginning, made)
    this.#heapBytes += bytesOf(beginning, made)
    if (this.#held.size > HELD_MAX) {
      const [oldest, words] = this.#held.entries().next().value!
      this.#held.delete(oldest)
      this.#heapBytes -= bytesOf(oldest, words)
    }
    return made
  }

  #isFor(sets: readonly SlotSet[]): boolean {
    return sets.length === this.#sets.length && sets.every((set, i) => set === this.#sets[i])
  }
}

function bytesOf(beginning: string, words: readonly Alternative[]): number {
  return words.reduce((sum, { term }) => sum + ALTERNATIVE_BYTES + stringBytes(term), 100 + stringBytes(beginning))
}
