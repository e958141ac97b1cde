/**
 * Analyses documents. Loading a tenant analyses millions of words, and few of them are new. So the terms of each chain
 * are cached: a cached chain is not folded, stemmed or split again.
 */
import { AbsenceReader, absenceTerm, absentIn, NO_ROLE, roleOf } from './absence.ts'
import { splitCompound } from './compounds.ts'
import { inchesOf, isNext, joinedNeighbours, mayJoin } from './neighbours.ts'
import { type Partition, PARTITIONS, termOf } from './partitions.ts'
import { Recent } from './recent.ts'
import { eachChain, nextChains } from './tokeniser.ts'
import { readChain, readUnspaced } from './words.ts'

/** The terms of one chain. */
interface ChainTerms {
  readonly terms: readonly string[]
  /** Terms of pieces of names and numbers, which weigh `PIECE_SHARE`. */
  readonly pieces: readonly string[]
  /** Number of words, or of characters in a script without spaces. */
  readonly length: number
  /** The word of a chain of exactly one word, else empty. */
  readonly word: string
  /** The word's role in saying that something is absent. */
  readonly role: number
}

/**
 * Weight of a piece of a name or number, as a share of a word's weight. It is low because a query for "64" hardly asks
 * for a part number that contains 64. Measured in docs/maintainers/search-quality.md.
 */
export const PIECE_SHARE = 0.1

/** Receives a term of a document, with its weight as a share of a word's weight. */
export type TermSink = (term: string, share: number) => void

/** Chains cached per generation and partition. Two full generations take about 30 MB. */
const GENERATION_SIZE = 65_536
const CHAIN_LENGTH_MAX = 32

/** The caches of chains, by partition. */
const CACHES = Object.fromEntries(
  PARTITIONS.map((partition) => [
    partition,
    new Recent((raw) => chainTerms(partition, raw), GENERATION_SIZE, CHAIN_LENGTH_MAX),
  ]),
) as Readonly<Record<Partition, Recent<ChainTerms>>>

/**
 * Chains that are analysed in one step. A chain that was not met lately takes up to four microseconds, one that was
 * takes a fraction of that.
 */
const CHAINS_A_STEP = 256

/**
 * Calls `emit` with every term of `text`, once per occurrence; the same text gives the same terms in the same order.
 * Terms are the words, parts of compounds and identifiers, and joined spellings. Works in steps of about a millisecond,
 * however new the words are.
 * @returns the length for BM25: the number of words, without parts and joined spellings
 */
export function* analysingDocument(partition: Partition, text: string, emit: TermSink): Generator<undefined, number> {
  const cache = CACHES[partition]
  let length = 0
  let leftStart = 0
  let leftEnd = -1
  const absences = new AbsenceReader()
  const take = (start: number, end: number, unspaced: boolean): void => {
    const raw = text.slice(start, end)
    const chain = unspaced ? unspacedTerms(raw) : cache.of(raw)
    const { terms, pieces } = chain
    for (let at = 0; at < terms.length; at += 1) emit(terms[at], 1)
    for (let at = 0; at < pieces.length; at += 1) emit(pieces[at], PIECE_SHARE)
    length += chain.length
    if (mayJoin(text, leftStart, leftEnd, start)) {
      const joined = joinedNeighbours(text.slice(leftStart, leftEnd), raw)
      if (joined !== null) emit(joined.text, 1)
    }
    const inches = inchesOf(text, raw, end)
    if (inches !== null) emit(inches, 1)
    const absent = absences.next(isNext(text, leftEnd, start), chain.role, chain.word)
    if (absent !== null) emit(absenceTerm(partition, absent), 1)
    leftStart = start
    leftEnd = end
  }
  let at = nextChains(text, 0, CHAINS_A_STEP, take)
  while (at < text.length) {
    yield
    at = nextChains(text, at, CHAINS_A_STEP, take)
  }
  return length
}

/**
 * Calls `visit` for each chain of a text, with its offsets in UTF-16 units and its terms. A chain of a script without
 * spaces is visited character by character, and once more for each pair that starts at a character.
 */
export function eachTermPlace(
  partition: Partition,
  text: string,
  visit: (start: number, end: number, terms: readonly string[]) => void,
): void {
  const cache = CACHES[partition]
  eachChain(text, (start, end, unspaced) => {
    if (!unspaced) return visit(start, end, cache.of(text.slice(start, end)).terms)
    const characters = Array.from(text.slice(start, end))
    let at = start
    for (const [i, character] of characters.entries()) {
      const pair = character + (characters[i + 1] ?? '')
      visit(at, at + character.length, [character])
      if (pair !== character) visit(at, at + pair.length, [pair])
      at += character.length
    }
  })
}

function unspacedTerms(raw: string): ChainTerms {
  const { characters, pairs } = readUnspaced(raw)
  return { terms: [...characters, ...pairs], pieces: [], length: characters.length, word: '', role: NO_ROLE }
}

function chainTerms(partition: Partition, raw: string): ChainTerms {
  const { words, joined, measures } = readChain(raw)
  const terms: string[] = []
  const pieces: string[] = []
  for (const word of words) {
    const own = termOf(partition, word.text)
    const inside = partition === 'de' ? [...word.parts, ...splitCompound(word.text)] : word.parts
    const parts = new Set(inside.map((part) => termOf(partition, part)))
    parts.delete(own)
    terms.push(own)
    ;(word.isName ? pieces : terms).push(...parts)
  }
  if (joined !== null) terms.push(termOf(partition, joined))
  for (const { text } of measures) terms.push(text)
  for (const text of [...words.map((word) => word.text), joined ?? '']) {
    const absent = absentIn(text)
    if (absent !== null) terms.push(absenceTerm(partition, absent))
  }
  const word = words.length === 1 ? words[0].text : ''
  return { terms, pieces, length: words.length, word, role: roleOf(word) }
}
