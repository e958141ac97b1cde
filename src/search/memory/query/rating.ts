import { leastCosine, relevanceOf } from '../../ranking/relevance.ts'
import { type Bits, hasBit, setBit, unite } from '../columns/bitset.ts'
import { borrowBits } from '../columns/borrowed-bits.ts'
import type { Plan } from './search.ts'
import { ALL_WORDS } from './word-cover.ts'

/** Added to the share of a document in another language than the query, so that both kinds are decided apart. */
const FOREIGN = 2 * ALL_WORDS

/** The documents of a search, by what decides whether they reach a relevance. */
interface Decisions {
  /** By segment, those whose words suffice. */
  readonly kept: readonly Bits[]
  /** By segment, those that no cosine helps. */
  readonly gone: readonly Bits[]
  /** By segment, those that need at least a cosine. */
  readonly undecided: readonly { readonly least: number; readonly sets: readonly Bits[] }[]
}

/** How relevant the documents of one search are. Keyword search rates by words alone. */
export class Rating {
  readonly #plan: Plan
  readonly #byWords: boolean

  constructor(plan: Plan) {
    this.#plan = plan
    this.#byWords = plan.request.mode === 'keyword'
  }

  /** @param cosine of the document */
  of(part: number, slot: number, cosine: number): number {
    const { cover } = this.#plan
    if (this.#isChosen(part, slot)) return 1
    const words = (cover?.shares[part][slot] ?? 0) / ALL_WORDS
    return relevanceOf(words, this.#byWords ? 0 : cosine, this.#isForeign(part, slot))
  }

  /** What decides whether each document of `qualified` reaches `minimum`. The sets are borrowed. */
  decide(qualified: readonly Bits[], minimum: number): Decisions {
    const none = (): Bits[] => qualified.map((bits) => borrowBits(bits.length))
    const kept = none()
    const gone = none()
    const byLevel = new Map<number, Bits[]>()
    const shares = this.#plan.cover?.shares
    for (const [part, bits] of qualified.entries()) {
      for (let slot = 0; slot < bits.length << 5; slot++) {
        if (!hasBit(bits, slot)) continue
        const level = (shares?.[part][slot] ?? 0) + (this.#isForeign(part, slot) ? FOREIGN : 0)
        let sets = byLevel.get(level)
        if (sets === undefined) byLevel.set(level, (sets = none()))
        setBit(this.#isChosen(part, slot) ? kept[part] : sets[part], slot)
      }
    }
    const undecided: { least: number; sets: readonly Bits[] }[] = []
    for (const [level, sets] of byLevel) {
      const least = leastCosine((level % FOREIGN) / ALL_WORDS, minimum, level >= FOREIGN)
      if (Number.isFinite(least) && !this.#byWords) undecided.push({ least, sets })
      else uniteAll(least === -Infinity ? kept : gone, sets)
    }
    return { kept, gone, undecided }
  }

  #isForeign(part: number, slot: number): boolean {
    const { rateLanguage, parts } = this.#plan
    return rateLanguage !== null && !hasBit(parts[part].segment.written[rateLanguage], slot)
  }

  /** Whether a pin or a raise makes the document qualify, whatever its words and its cosine. */
  #isChosen(part: number, slot: number): boolean {
    const { pins, raises } = this.#plan
    return pins?.parts[part].has(slot) === true || (raises !== null && hasBit(raises.qualifying[part], slot))
  }
}

/** Adds sets to others, segment by segment. */
export function uniteAll(targets: readonly Bits[], sets: readonly Bits[]): void {
  for (const [part, target] of targets.entries()) unite(target, sets[part])
}
