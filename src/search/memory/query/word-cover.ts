/**
 * How many of the query's words each document has, as the share of their weight: what BM25 does not tell, since a rare
 * word that a document has often outweighs two that it lacks.
 */
import { PARTITIONS } from '../../analysis/analysis.ts'
import type { KeywordStatistics, PartitionTerm, SearchPart, View } from './keyword.ts'
import { hasBit } from '../columns/bitset.ts'
import { nameMatch } from '../../ranking/name-match.ts'
import { frequencyNumberOf, SLOTS_MAX, slotOf } from '../columns/segment.ts'

/** The share of a document that has all words. A document that lacks one has less, however little it weighs. */
export const ALL_WORDS = 100
/** What a query asks for beyond this many words and words inside compounds is not required. */
export const NUMBERS_MAX = 31

export interface WordCover {
  /** By segment and slot: the share of the words' weight, in whole hundredths. */
  readonly shares: readonly Uint8Array[]
  /** How many visible documents have all words. */
  readonly complete: number
  /** By segment and slot: how well the query names the document (`nameMatch`), in whole hundredths; empty unless asked for. */
  readonly names: readonly Uint8Array[]
}

const postings = new Uint32Array(SLOTS_MAX)
/** By slot, what the document has, a bit for each number; all 0 between segments. */
const had = new Int32Array(SLOTS_MAX)
/** The same for what the document's name has. */
const named = new Int32Array(SLOTS_MAX)

/**
 * The cover of every document by the words of a query; null when the query has none.
 * @param withNames whether to look at the names of documents too
 * @param count of a view whose visible documents are not all in `parts`
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
        for (let at = 0; at < count; at++) had[slotOf(postings[at])] |= mask
        if (withNames) markNamed(segment.areNamed, count, mask)
      }
    }
    const own = new Uint8Array(segment.slots)
    const ownNames = new Uint8Array(withNames ? segment.slots : 0)
    for (let slot = 0; slot < own.length; slot++) {
      if (had[slot] === 0) continue
      own[slot] = shareOf(had[slot])
      had[slot] = 0
      if (named[slot] !== 0) {
        const ofName = numbersIn(named[slot]) / segment.nameLengths[slot]
        ownNames[slot] = Math.round(ALL_WORDS * nameMatch(shareOf(named[slot]) / ALL_WORDS, ofName))
        named[slot] = 0
      }
      if (own[slot] === ALL_WORDS && hasBit(visible.bits, slot)) complete++
    }
    names.push(ownNames)
    return own
  })
  return { shares, complete: count === undefined ? complete : count(termsByNumber(concepts, masks)), names }
}

/** For each number that is asked for, the terms that answer it. */
function termsByNumber(concepts: KeywordStatistics['concepts'], masks: readonly number[]): PartitionTerm[][] {
  const lists: PartitionTerm[][] = Array.from({ length: NUMBERS_MAX }, () => [])
  for (const [i, { terms }] of concepts.entries()) {
    for (const [number, list] of lists.entries()) {
      if (((masks[i] >>> number) & 1) === 0) continue
      for (const partition of PARTITIONS) {
        const term = terms[partition]
        if (term !== null) list.push({ partition, term })
      }
    }
  }
  return lists.filter((_, number) => masks.some((mask) => (mask >>> number) & 1))
}

function markNamed(areNamed: readonly boolean[], count: number, mask: number): void {
  for (let at = 0; at < count; at++) {
    if (areNamed[frequencyNumberOf(postings[at])]) named[slotOf(postings[at])] |= mask
  }
}

function maskOf(answers: readonly number[]): number {
  return answers.reduce((mask, number) => (number < NUMBERS_MAX ? mask | (1 << number) : mask), 0)
}

/**
 * The share of what is had, by its mask. A number weighs as much as the first concept that answers it, which is the
 * word as it was typed; a concept that answers several shares its idf among them.
 */
function sharesBy(masks: readonly number[], idfs: readonly number[], all: number): (mask: number) => number {
  const worths = Array.from({ length: NUMBERS_MAX }, (_, number) => {
    const first = masks.findIndex((mask) => (mask >>> number) & 1)
    return first < 0 ? 0 : idfs[first] / numbersIn(masks[first])
  })
  const worthOf = (mask: number): number => worths.reduce((sum, worth, i) => ((mask >>> i) & 1 ? sum + worth : sum), 0)
  const whole = worthOf(all)
  const known = new Map<number, number>([[all, ALL_WORDS]])
  return (mask) => {
    let share = known.get(mask)
    if (share === undefined)
      known.set(mask, (share = Math.min(ALL_WORDS - 1, Math.floor((ALL_WORDS * worthOf(mask)) / whole))))
    return share
  }
}

function numbersIn(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}
