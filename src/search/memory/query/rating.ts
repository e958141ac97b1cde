import { type Judgement, leastCosine, relevanceOf } from '../../ranking/relevance.ts'
import { type Bits, hasBit, setBit, unite } from '../columns/bitset.ts'
import { borrowBits } from '../columns/borrowed-bits.ts'
import type { Plan } from './plan.ts'
import { FULL_SHARE } from './word-cover.ts'

/** Offset of the cover of a document in another language than the query, so that both kinds are decided apart. */
const FOREIGN = 2 * FULL_SHARE

/** The documents of a search, divided by what decides whether they reach a relevance. */
interface Decisions {
  /** By segment, the documents whose words suffice. */
  readonly relevant: readonly Bits[]
  /** By segment, the documents that no cosine makes relevant. */
  readonly irrelevant: readonly Bits[]
  /** The documents that are relevant if their scaled cosine is at least `least`, by segment. */
  readonly undecided: readonly { readonly least: number; readonly sets: readonly Bits[] }[]
}

/** Rates the relevance of the documents of one search. Keyword search rates by words alone. */
export class Rating {
  readonly #plan: Plan
  readonly #byWords: boolean

  constructor(plan: Plan) {
    this.#plan = plan
    this.#byWords = plan.request.mode === 'keyword'
  }

  /** Returns the relevance of a document, from 0 to 1. @param cosine scaled cosine of its best passage */
  of(part: number, slot: number, cosine: number): number {
    const { cover } = this.#plan
    if (this.#isChosen(part, slot)) return 1
    const words = (cover?.shares[part][slot] ?? 0) / FULL_SHARE
    return relevanceOf(words, this.#byWords ? 0 : cosine, this.#judgementOf(this.#isForeign(part, slot)))
  }

  /** Divides the documents of `qualified` by what decides whether they reach `minimum`. The new sets are borrowed. */
  decide(qualified: readonly Bits[], minimum: number): Decisions {
    const none = (): Bits[] => qualified.map((bits) => borrowBits(bits.length))
    const relevant = none()
    const irrelevant = none()
    const byLevel = new Map<number, Bits[]>()
    const shares = this.#plan.cover?.shares
    for (const [part, bits] of qualified.entries()) {
      for (let slot = 0; slot < bits.length << 5; slot++) {
        if (!hasBit(bits, slot)) continue
        const level = (shares?.[part][slot] ?? 0) + (this.#isForeign(part, slot) ? FOREIGN : 0)
        let sets = byLevel.get(level)
        if (sets === undefined) byLevel.set(level, (sets = none()))
        setBit(this.#isChosen(part, slot) ? relevant[part] : sets[part], slot)
      }
    }
    const undecided: { least: number; sets: readonly Bits[] }[] = []
    for (const [level, sets] of byLevel) {
      const least = leastCosine((level % FOREIGN) / FULL_SHARE, minimum, this.#judgementOf(level >= FOREIGN))
      if (Number.isFinite(least) && !this.#byWords) undecided.push({ least, sets })
      else uniteAll(least === -Infinity ? relevant : irrelevant, sets)
    }
    return { relevant, irrelevant, undecided }
  }

  #judgementOf(isForeign: boolean): Judgement {
    if (this.#plan.request.isContextual === true) return 'contextual'
    return isForeign ? 'foreign' : 'static'
  }

  #isForeign(part: number, slot: number): boolean {
    const { rateLanguage, parts } = this.#plan
    return rateLanguage !== null && !hasBit(parts[part].segment.byPartition[rateLanguage], slot)
  }

  /** Tells whether a pin or a raise makes the document qualify, whatever its words and its cosine. */
  #isChosen(part: number, slot: number): boolean {
    const { pins, raises } = this.#plan
    return pins?.parts[part].has(slot) === true || (raises !== null && hasBit(raises.qualifying[part], slot))
  }
}

/** Adds each set to the target of its segment. */
export function uniteAll(targets: readonly Bits[], sets: readonly Bits[]): void {
  for (const [part, target] of targets.entries()) unite(target, sets[part])
}
