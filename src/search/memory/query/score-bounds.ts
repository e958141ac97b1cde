import { PARTITIONS } from '../../analysis/analysis.ts'
import { type Bits, hasBit, subtract } from '../columns/bitset.ts'
import { borrowCopy } from '../columns/borrowed-bits.ts'
import type { Shares } from '../../ranking/hybrid-score.ts'
import type { Names } from './names.ts'
import type { Pins } from './pins.ts'
import type { Raises } from './raises.ts'
import type { Plan } from './plan.ts'
import { magnitudeOf, type Scale } from './scale.ts'
import { type Bounds, placesOf } from './similarity.ts'
import type { VectorMemory } from '../columns/vector-column.ts'

/** Bound of the float32 rounding of a score and its parts, as a share of their magnitude. */
const ROUNDING_SHARE = 1e-6
/** Bound of what rounding to float32 changes of a cosine. */
const COMPARISON_SLACK = 1e-6

/**
 * The *highs* of one search: the highest score that each document can have, as a float32 array in the arena, segment
 * after segment; minus infinity for a document that cannot be a hit. A *place* is an index of this array. At first the
 * highs bound scaled cosines, so that `cut` can apply thresholds; `toScores` makes them bound scores.
 */
export class ScoreBounds {
  /** Place of each segment's first slot. */
  readonly bases: readonly number[]
  readonly length: number
  readonly #plan: Plan
  readonly #memory: VectorMemory
  /** Address of the highs. */
  readonly #highs: number
  /** The most that a scaled cosine is below its high. */
  #width: number
  /** The largest magnitude of a scaled cosine. */
  readonly #magnitude: number

  /** @param cosines null if every cosine is 0, or the search needs none before its hits are chosen */
  constructor(plan: Plan, cosines: Bounds | null, memory: VectorMemory) {
    const { bases, length } = placesOf(plan.parts.map((part) => part.segment))
    this.bases = bases
    this.length = length
    this.#plan = plan
    this.#memory = memory
    this.#highs = cosines?.highs ?? memory.scratch('highs', length * 4)
    this.#width = cosines?.width ?? 0
    this.#magnitude = magnitudeOf(plan.scale)
    if (cosines === null) this.#fillZero(plan.qualified)
    else if (plan.scale !== null) this.#rescale(plan.scale)
  }

  /**
   * Removes from `bits` the documents of a segment whose scaled cosine is certainly under `minimum`. Must not be called
   * after `toScores`.
   * @param part index of the segment
   * @returns places of the remaining documents whose scaled cosine may still be under `minimum`, ascending
   */
  cut(part: number, bits: Bits, minimum: number): Uint32Array {
    const { arena, kernel, scratch } = this.#memory
    const { bitWords } = this.#plan.parts[part].segment
    const base = this.bases[part]
    const mask = scratch('mask', bitWords * 4)
    const out = scratch('places', bitWords * 32 * 4)
    arena.u32.set(bits.subarray(0, bitWords), mask >>> 2)
    // The kernel compares in float32, so both thresholds have some slack; the caller decides about what lies between.
    const slack = COMPARISON_SLACK * this.#magnitude
    const sure = minimum + this.#width + slack
    const least = minimum - slack
    const count = kernel.cutHighs(mask, bitWords, this.#highs + base * 4, least, sure, base, out)
    bits.set(arena.u32.subarray(mask >>> 2, (mask >>> 2) + bitWords))
    return arena.u32.slice(out >>> 2, (out >>> 2) + count)
  }

  high(place: number): number {
    return this.#memory.arena.f32[(this.#highs >>> 2) + place]
  }

  exclude(place: number): void {
    this.#memory.arena.f32[(this.#highs >>> 2) + place] = -Infinity
  }

  /**
   * Turns bounds of scaled cosines into bounds of the mode's score.
   * @param qualified by segment, the documents that may still be hits
   * @param vectorWeight weight of the scaled cosine in the hybrid score
   */
  toScores(qualified: readonly Bits[], vectorWeight: number): void {
    const { request, statistics, pins, raises, allWords, names, shares } = this.#plan
    const bonusMax =
      Math.abs(pins?.bonus ?? 0) + (raises?.most ?? 0) + Math.abs(allWords?.bonus ?? 0) + Math.abs(names?.most ?? 0)
    if (request.mode === 'semantic') {
      if (pins === null && raises === null) return
      this.#scale(1, ROUNDING_SHARE * (this.#magnitude + bonusMax))
      this.#addAll(qualified)
      return
    }
    const isHybrid = request.mode === 'hybrid'
    const scale = isHybrid ? (statistics!.bm25Max > 0 ? 1 / statistics!.bm25Max : 0) : 1
    const weight = isHybrid ? vectorWeight : 0
    const steepest = shares === null ? 0 : Math.max(...Object.values(shares).map((share) => share?.slope ?? 0))
    const ofCosine = (steepest + Math.abs(weight)) * this.#magnitude
    const slack = ROUNDING_SHARE * (ofCosine + scale * statistics!.bm25Max + bonusMax)
    const cosines = steepest > 0 ? this.#copyHighs() : 0
    this.#scale(weight, slack)
    this.#addKeyword(qualified, scale)
    if (steepest > 0) this.#raise(qualified, cosines, shares!, weight, slack)
    if (allWords !== null) this.#addToSets(qualified, allWords.complete, allWords.bonus)
    if (names !== null) this.#addNames(qualified, names)
    this.#addAll(qualified)
  }

  /** Returns the k-th highest high, or minus infinity if there are fewer than `k`. */
  kthHigh(k: number): number {
    const { arena, kernel, scratch } = this.#memory
    const heap = scratch('heap', k * 4)
    const size = kernel.offerAll(this.#highs, this.length, heap, k)
    return size < k ? -Infinity : arena.f32[heap >>> 2]
  }

  /** Returns the places whose high is at least `threshold`, ascending. */
  reaching(threshold: number): Uint32Array {
    const { arena, kernel, scratch } = this.#memory
    const out = scratch('places', this.length * 4)
    const count = kernel.collect(this.#highs, this.length, threshold, out)
    return arena.u32.slice(out >>> 2, (out >>> 2) + count)
  }

  /** Returns the places whose high is at least `threshold` and below `limit`, ascending. */
  reachingBelow(threshold: number, limit: number): Uint32Array {
    const places = this.reaching(threshold)
    const { f32 } = this.#memory.arena
    const highs = this.#highs >>> 2
    let count = 0
    for (let i = 0; i < places.length; i++) if (f32[highs + places[i]] < limit) places[count++] = places[i]
    return places.subarray(0, count)
  }

  /** Turns bounds of cosines into bounds of scaled cosines. A document without vectors keeps its 0. */
  #rescale(scale: Scale): void {
    const { parts, qualified } = this.#plan
    const slack = ROUNDING_SHARE * this.#magnitude
    this.#scale(scale.factor, scale.offset + slack)
    this.#width = scale.factor * this.#width + 2 * slack
    for (const [part, bits] of qualified.entries()) {
      const without = borrowCopy(bits)
      subtract(without, parts[part].segment.withVectors)
      this.#fill(part, without, 0)
    }
  }

  #scale(weight: number, slack: number): void {
    this.#memory.kernel.scaleHighs(this.#highs, this.length, weight, this.#width, slack)
  }

  /** Copies the highs. @returns the address of the copy */
  #copyHighs(): number {
    const { arena, scratch } = this.#memory
    const copy = scratch('cosine highs', this.length * 4)
    arena.u8.copyWithin(copy, this.#highs, this.#highs + this.length * 4)
    return copy
  }

  /**
   * Raises the highs of the documents whose cosine may count in place of coverage, such as those in another language
   * than the query.
   * @param cosines address of the bounds of all cosines
   */
  #raise(qualified: readonly Bits[], cosines: number, shares: Shares, weight: number, slack: number): void {
    const { arena, kernel, scratch } = this.#memory
    for (const partition of PARTITIONS) {
      const share = shares[partition]
      if (share === null) continue
      const factor = weight + share.slope
      const more = share.offset + (factor < 0 ? -factor * this.#width : 0) + slack
      for (const [part, { segment }] of this.#plan.parts.entries()) {
        const { bitWords, byPartition } = segment
        const mask = scratch('mask', bitWords * 4)
        for (let i = 0; i < bitWords; i++) arena.u32[(mask >>> 2) + i] = qualified[part][i] & byPartition[partition][i]
        const at = this.bases[part] * 4
        kernel.raiseHighs(mask, bitWords, cosines + at, this.#highs + at, factor, more)
      }
    }
  }

  #fillZero(masks: readonly Bits[]): void {
    const { f32 } = this.#memory.arena
    const highs = this.#highs >>> 2
    f32.fill(-Infinity, highs, highs + this.length)
    for (const [part, bits] of masks.entries()) this.#fill(part, bits, 0)
  }

  /** Sets the highs of documents of a segment. */
  #fill(part: number, bits: Bits, high: number): void {
    const { f32 } = this.#memory.arena
    for (let i = 0; i < bits.length; i++) {
      const at = (this.#highs >>> 2) + this.bases[part] + (i << 5)
      for (let rest = bits[i]; rest !== 0; rest &= rest - 1) f32[at + 31 - Math.clz32(rest & -rest)] = high
    }
  }

  #addAll(qualified: readonly Bits[]): void {
    const { pins, raises } = this.#plan
    if (raises !== null) this.#addRaises(qualified, raises)
    if (pins !== null) this.#add(qualified, pins)
  }

  #addRaises(qualified: readonly Bits[], { sums }: Raises): void {
    const { f32 } = this.#memory.arena
    for (const [part, bits] of qualified.entries()) {
      const highs = (this.#highs >>> 2) + this.bases[part]
      for (let i = 0; i < bits.length; i++) {
        for (let rest = bits[i]; rest !== 0; rest &= rest - 1) {
          const slot = (i << 5) + 31 - Math.clz32(rest & -rest)
          f32[highs + slot] += sums[part][slot]
        }
      }
    }
  }

  #add(qualified: readonly Bits[], { parts, bonus }: Pins): void {
    const { f32 } = this.#memory.arena
    for (const [part, slots] of parts.entries()) {
      const highs = (this.#highs >>> 2) + this.bases[part]
      for (const slot of slots) if (hasBit(qualified[part], slot)) f32[highs + slot] += bonus
    }
  }

  #addToSets(qualified: readonly Bits[], sets: readonly Bits[], bonus: number): void {
    const { f32 } = this.#memory.arena
    for (const [part, bits] of sets.entries()) {
      const highs = (this.#highs >>> 2) + this.bases[part]
      for (let i = 0; i < bits.length; i++) {
        for (let rest = bits[i] & qualified[part][i]; rest !== 0; rest &= rest - 1) {
          f32[highs + (i << 5) + 31 - Math.clz32(rest & -rest)] += bonus
        }
      }
    }
  }

  #addNames(qualified: readonly Bits[], { matches, step }: Names): void {
    const { f32 } = this.#memory.arena
    for (const [part, own] of matches.entries()) {
      const highs = (this.#highs >>> 2) + this.bases[part]
      const bits = qualified[part]
      for (let slot = 0; slot < own.length; slot++) {
        if (own[slot] > 0 && hasBit(bits, slot)) f32[highs + slot] += step * own[slot]
      }
    }
  }

  #addKeyword(qualified: readonly Bits[], scale: number): void {
    const { f32 } = this.#memory.arena
    for (const [part, { matched, scores }] of this.#plan.keyword!.entries()) {
      const highs = (this.#highs >>> 2) + this.bases[part]
      for (let i = 0; i < matched.length; i++) {
        for (let rest = matched[i] & qualified[part][i]; rest !== 0; rest &= rest - 1) {
          const slot = (i << 5) + 31 - Math.clz32(rest & -rest)
          f32[highs + slot] += scores[slot] * scale
        }
      }
    }
  }
}
