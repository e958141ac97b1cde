/**
 * The cover of documents: the share of the weight of a query's words that each document has. BM25 does not tell it,
 * since one rare word that a document has often outweighs two that the document lacks.
 */
import { PARTITIONS } from '../../analysis/analysis.ts'
import type { KeywordStatistics, PartitionTerm, SearchPart, View } from './keyword.ts'
import { hasBit } from '../columns/bitset.ts'
import { nameMatch } from '../../ranking/name-match.ts'
import { frequencyNumberOf, SLOTS_MAX, slotOf } from '../columns/segment.ts'

/** Cover of a document that has all words. A document that lacks a word has less, however little that word weighs. */
export const FULL_SHARE = 100
/** Words, and words inside compounds, that a cover counts; it ignores those of a query that has more. */
export const ANSWERS_MAX = 31

export interface WordCover {
  /** By segment and slot, the cover in whole hundredths. */
  readonly shares: readonly Uint8Array[]
  /** Number of visible documents that have all words. */
  readonly complete: number
  /**
   * By segment and slot, how well the query names the document (`nameMatch`), in whole hundredths; empty without names.
   */
  readonly names: readonly Uint8Array[]
}

const postings = new Uint32Array(SLOTS_MAX)
/** By slot, the answers of the query's concepts that the document has, as a mask; all 0 between segments. */
const textMasks = new Int32Array(SLOTS_MAX)
/** By slot, the answers that the document's name has, as a mask; all 0 between segments. */
const nameMasks = new Int32Array(SLOTS_MAX)

/**
 * Returns the cover of every document by the words of a query, or null when the query has no words.
 * @param withNames whether to compare the names of documents too
 * @param count replaces the count of complete documents, where `parts` lack visible ones
 */
export function wordCover(
  parts: readonly SearchPart[],
  { concepts, idfs }: KeywordStatistics,
  withNames: boolean,
  count?: View['complete'],
): WordCover | null {
  const masks = concepts.map(({ answers = [] }) => maskOf(answers))
  const all = masks.reduce((sum, mask) => sum | mask, 0)
  if (all === 0) return null
  const shareOf = sharesBy(masks, idfs, all)
  let complete = 0
  const names: Uint8Array[] = []
  const shares = parts.map(({ segment, visible }) => {
    for (const [i, { terms }] of concepts.entries()) {
      const mask = masks[i]
      if (mask === 0) continue
      for (const partition of PARTITIONS) {
        const term = terms[partition]
        const id = term === null ? -1 : segment.terms[partition].find(term)
        if (id < 0) continue
        const count = segment.terms[partition].read(id, postings)
        for (let at = 0; at < count; at++) textMasks[slotOf(postings[at])] |= mask
        if (withNames) markNames(segment.areNamed, count, mask)
      }
    }
    const own = new Uint8Array(segment.slots)
    const ownNames = new Uint8Array(withNames ? segment.slots : 0)
    for (let slot = 0; slot < own.length; slot++) {
      if (textMasks[slot] === 0) continue
      own[slot] = shareOf(textMasks[slot])
      textMasks[slot] = 0
      if (nameMasks[slot] !== 0) {
        const ofName = answersIn(nameMasks[slot]) / segment.nameLengths[slot]
        ownNames[slot] = Math.round(FULL_SHARE * nameMatch(shareOf(nameMasks[slot]) / FULL_SHARE, ofName))
        nameMasks[slot] = 0
      }
      if (own[slot] === FULL_SHARE && hasBit(visible.bits, slot)) complete++
    }
    names.push(ownNames)
    return own
  })
  return { shares, complete: count === undefined ? complete : count(termsByAnswer(concepts, masks)), names }
}

/** Returns a list for each answer that a complete document has: the terms of the concepts that give it. */
function termsByAnswer(concepts: KeywordStatistics['concepts'], masks: readonly number[]): PartitionTerm[][] {
  const lists: PartitionTerm[][] = Array.from({ length: ANSWERS_MAX }, () => [])
  for (const [i, { terms }] of concepts.entries()) {
    for (const [answer, list] of lists.entries()) {
      if (((masks[i] >>> answer) & 1) === 0) continue
      for (const partition of PARTITIONS) {
        const term = terms[partition]
        if (term !== null) list.push({ partition, term })
      }
    }
  }
  return lists.filter((_, answer) => masks.some((mask) => (mask >>> answer) & 1))
}

function markNames(areNamed: readonly boolean[], count: number, mask: number): void {
  for (let at = 0; at < count; at++) {
    if (areNamed[frequencyNumberOf(postings[at])]) nameMasks[slotOf(postings[at])] |= mask
  }
}

function maskOf(answers: readonly number[]): number {
  return answers.reduce((mask, answer) => (answer < ANSWERS_MAX ? mask | (1 << answer) : mask), 0)
}

/**
 * Returns a function from a mask of answers to their share of all weight. An answer weighs as much as the first concept
 * that gives it, which is the word as it was typed; a concept of several answers divides its idf among them.
 */
function sharesBy(masks: readonly number[], idfs: readonly number[], all: number): (mask: number) => number {
  const worths = Array.from({ length: ANSWERS_MAX }, (_, answer) => {
    const first = masks.findIndex((mask) => (mask >>> answer) & 1)
    return first < 0 ? 0 : idfs[first] / answersIn(masks[first])
  })
  const worthOf = (mask: number): number => worths.reduce((sum, worth, i) => ((mask >>> i) & 1 ? sum + worth : sum), 0)
  const whole = worthOf(all)
  const shares = new Map<number, number>([[all, FULL_SHARE]])
  return (mask) => {
    let share = shares.get(mask)
    if (share === undefined)
      shares.set(mask, (share = Math.min(FULL_SHARE - 1, Math.floor((FULL_SHARE * worthOf(mask)) / whole))))
    return share
  }
}

function answersIn(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}
