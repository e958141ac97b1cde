/** Analyses queries into concepts. */
import { AbsenceReader, absenceTerm, absentIn, FREE, roleOf } from './absence.ts'
import { splitCompound } from './compounds.ts'
import { PIECE_SHARE } from './document.ts'
import {
  type FunctionWord,
  functionWords,
  hasFunctionWordOf,
  languagesOf,
  type QueryLanguage,
} from './query-language.ts'
import { inchesOf, isNext, joinedNeighbours, mayJoin } from './neighbours.ts'
import { type Partition, PARTITIONS, partitionOf, termOf } from './partitions.ts'
import { Recent } from './recent.ts'
import { eachChain } from './tokeniser.ts'
import { type Chain, NO_CHAIN, readChain, readUnspaced, type Word } from './words.ts'

/** A word of a query, or another thing that the query asks for, with its term in every partition. */
export interface QueryConcept {
  /** The word as the user wrote it, or the part of it that the concept stands for; shown in explanations. */
  readonly text: string
  /** Weight in BM25 and in coverage, over 0: 1 for a word, less for a compound's part. */
  readonly weight: number
  /** How often the query has the concept; absent for once. */
  readonly times?: number
  /** The concept's term in each partition; null where documents of the partition cannot contain it. */
  readonly terms: Readonly<Record<Partition, string | null>>
  /**
   * Numbers of the query's words that a document with this concept has. A compound has a number for each word inside
   * it. A document that has all numbers of the query has all of its words. Absent for a concept that answers no
   * required word.
   */
  readonly answers?: readonly number[]
  /**
   * Terms that replace the concept: it is dropped if one of them occurs in a visible document. They are more exact,
   * such as the whole word in place of its part.
   */
  readonly unless?: Readonly<Record<Partition, string | null>>
  /**
   * Whether the concept is dropped unless one of its terms occurs in a visible document. It is so for a spelling that
   * the user may have meant.
   */
  readonly ifKnown?: boolean
  /** Whether the concept is two words of the query written as one. */
  readonly isPair?: boolean
}

/** Most concepts of an analysed query; `query-bound.ts` keeps those that say most. */
export const ANALYSED_MAX = 512
/** Weight of a part of a compound or identifier; the whole word has 1. */
export const PART_WEIGHT = 0.3
/** Weight of the joined spelling of a chain; its words have 1 each. */
export const JOINED_WEIGHT = 0.5
/**
 * Weight of two words written as one ("headset" for "head set"), where documents have that word. More would let chance
 * pairs of prose decide; see docs/maintainers/search-quality.md.
 */
export const PAIR_WEIGHT = 0.3
/**
 * Words of queries cached per generation. Queries repeat the same words. Reading a query of such words took about three
 * times as long without the cache, measured once when the cache was made.
 */
const GENERATION_SIZE = 8192
/** Most characters of a word that is cached. */
const CACHED_LENGTH_MAX = 40
const PAIR_LENGTH_MIN = 4
const PAIR_LENGTH_MAX = 40
const CHAINS_MAX = 512

const CHAINS = new Recent(readChain, GENERATION_SIZE, CACHED_LENGTH_MAX)
const TERMS = new Recent(termsInEach, GENERATION_SIZE, CACHED_LENGTH_MAX)
const COMPOUNDS = new Recent(splitCompound, GENERATION_SIZE, CACHED_LENGTH_MAX)

/** A chain of the query, before function words are left out. */
export interface QueryChain {
  readonly raw: string
  /** Number of the chain among all chains of the query. */
  readonly order: number
  readonly words: readonly Word[]
  readonly joined: string | null
  readonly measures: Chain['measures']
  /** This chain joined with the chain before it, if one is a number and the other its word ("32 GB"); else null. */
  readonly withBefore: ReturnType<typeof joinedNeighbours>
  /** The measure of a number with an inch sign behind it; null for other chains. */
  readonly inches: string | null
  /** Whether only a space lies between this chain and the one before. */
  readonly isNext: boolean
  /**
   * The absence that this chain completes: the absent thing, and the text that says so, such as "ohne Zucker".
   * `isThing` tells whether this chain is the thing itself, rather than "free". Null for most chains.
   */
  readonly absent: { readonly thing: string; readonly text: string; readonly isThing: boolean } | null
  /** Terms of a chain of a script without spaces: its pairs of characters, or its only character. Else empty. */
  readonly unspaced: readonly string[]
  /** Whether the chain follows an apostrophe. */
  readonly afterApostrophe: boolean
  /** Whether the chain is in capitals and the rest of the query is not: IT, US, WHO, MIT are names then. */
  readonly capitals: boolean
}

/** An analysed query. */
export interface QueryReading {
  readonly concepts: readonly QueryConcept[]
  /** Partition of the language that function words and umlauts show; null if they show none. */
  readonly language: Partition | null
  /**
   * Whether the query has a function word of that language alone. Umlauts by themselves may come from a made-up name.
   */
  readonly hasFunctionWord: boolean
}

/** Analyses a query whose language the caller does not know. */
export function readQuery(text: string): QueryReading {
  const chains = chainsOf(text)
  const { sure, likely } = languagesOf(chains)
  return {
    concepts: conceptsWithoutFunctionWords(chains, likely, false),
    language: sure === 'unknown' ? null : sure,
    hasFunctionWord: hasFunctionWordOf(chains, sure),
  }
}

/**
 * Returns the concepts of a query, at most `ANALYSED_MAX`: first words, then joined spellings and parts. A concept that
 * the query repeats counts again, but a part does not count beside the same word. Function words are left out unless
 * the query has no other words. Empty when the query has no letter or digit.
 * @param language ISO 639 code of the query's language; null to let the words decide
 */
export function analyseQuery(text: string, language: string | null): readonly QueryConcept[] {
  const chains = chainsOf(text)
  const spoken = language === null ? languagesOf(chains).likely : partitionOf(language)
  return conceptsWithoutFunctionWords(chains, spoken, language !== null)
}

/** Returns the concepts of a query without its function words. @param isCertain whether `spoken` is not only guessed */
function conceptsWithoutFunctionWords(
  chains: readonly QueryChain[],
  spoken: QueryLanguage,
  isCertain: boolean,
): readonly QueryConcept[] {
  const roles = functionWords(chains, spoken, isCertain)
  const contentChains = chains.filter((chain, i) => roles[i] !== 'yes' || chain.withBefore?.isMeasure === true)
  return conceptsOf(contentChains.length > 0 ? contentChains : chains, spoken, (chain) => roles[chain.order])
}

function chainsOf(text: string): QueryChain[] {
  const chains: QueryChain[] = []
  let leftStart = 0
  let leftEnd = -1
  const absences = new AbsenceReader()
  const isAllCapitals = text === text.toUpperCase()
  eachChain(text, (start, end, unspaced) => {
    if (chains.length >= CHAINS_MAX) return
    const raw = text.slice(start, end)
    const afterApostrophe = start > 0 && "'\u2019".includes(text[start - 1])
    const chain = unspaced ? NO_CHAIN : CHAINS.of(raw)
    const only = chain.words.length === 1 ? chain.words[0].text : ''
    const role = roleOf(only)
    const follows = isNext(text, leftEnd, start)
    const thing = absences.next(follows, role, only)
    const absent = thing === null ? null : { thing, text: text.slice(leftStart, end), isThing: role !== FREE }
    const withBefore = mayJoin(text, leftStart, leftEnd, start)
      ? joinedNeighbours(text.slice(leftStart, leftEnd), raw)
      : null
    const capitals = !isAllCapitals && raw.length > 1 && raw === raw.toUpperCase()
    let terms: readonly string[] = []
    if (unspaced) {
      const { characters, pairs } = readUnspaced(raw)
      terms = pairs.length > 0 ? pairs : characters
    }
    if (chain.words.length > 0 || terms.length > 0) {
      chains.push({
        raw,
        order: chains.length,
        words: chain.words,
        joined: chain.joined,
        measures: chain.measures,
        withBefore,
        inches: inchesOf(text, raw, end),
        isNext: follows,
        absent,
        unspaced: terms,
        afterApostrophe,
        capitals,
      })
    }
    leftStart = start
    leftEnd = end
  })
  return chains
}

/**
 * Collects the concepts of chains: first words, then joined spellings, then parts, then pairs of words written as one.
 * @param roleIn returns whether a chain is a function word
 */
function conceptsOf(
  chains: readonly QueryChain[],
  language: QueryLanguage,
  roleIn: (chain: QueryChain) => FunctionWord,
): readonly QueryConcept[] {
  const concepts = new Concepts()
  const numbers = new Numbers()
  const chainParts = chains.map((chain, i) => {
    const before = chains[i - 1]?.order === chain.order - 1 ? i - 1 : -1
    const words = chain.words.map((word) => {
      const leaves = leavesOf(word, language)
      // A single letter, like the E of "E-Mail", says little, and a word that may be a function word is not required.
      const isLetter = chain.words.length > 1 && word.text.length === 1
      const isRequired = !isLetter && roleIn(chain) !== 'perhaps'
      return { word, leaves, isLetter, answers: isRequired ? numbers.next(Math.max(1, leaves.length)) : [] }
    })
    return { chain, before, words, answers: words.flatMap((each) => each.answers) }
  })
  const measures = chainParts.map(({ chain }) => chain.inches)
  for (const [i, { chain, before }] of chainParts.entries()) {
    if (before >= 0 && chain.withBefore?.isMeasure) measures[before] = measures[i] = chain.withBefore.text
  }

  for (const [i, { chain, before, words, answers }] of chainParts.entries()) {
    for (const term of chain.unspaced) concepts.add(term, 1, everywhere(term), { answers: numbers.next(1) })
    const unwanted = unwantedIn(chain)
    if (unwanted.unless !== undefined) concepts.add(chain.absent!.text, 1, unwanted.unless, { answers })
    const measure = measures[i]
    if (measure !== null && (chain.inches !== null || chain.withBefore?.text === measure)) {
      const both = chain.inches === null && before >= 0 ? [...chainParts[before].answers, ...answers] : answers
      concepts.add(measure, 1, everywhere(measure), { answers: both, ifKnown: true })
    }
    for (const { text, at } of chain.measures) {
      const both = [...words[at].answers, ...words[at + 1].answers]
      concepts.add(text, 1, everywhere(text), { answers: both, ifKnown: true })
    }
    for (const [at, { word, isLetter, answers: own }] of words.entries()) {
      const inside = chain.measures.find((each) => each.at === at || each.at === at - 1)?.text ?? measure
      // "18" and "Volt" are asked for only where no document has 18 V.
      const condition = inside === null ? unwanted : { unless: everywhere(inside) }
      const text = words.length > 1 ? word.text : chain.raw
      concepts.add(text, isLetter ? PART_WEIGHT : 1, TERMS.of(word.text), { ...condition, answers: own })
    }
  }
  for (const { chain, before, answers } of chainParts) {
    const { joined, withBefore, absent } = chain
    if (joined !== null) concepts.add(joined, JOINED_WEIGHT, TERMS.of(joined), { answers })
    const both = before < 0 ? answers : [...chainParts[before].answers, ...answers]
    if (withBefore !== null && !withBefore.isMeasure)
      concepts.add(withBefore.text, JOINED_WEIGHT, TERMS.of(withBefore.text), { answers: both })
    if (absent !== null && !absent.isThing)
      concepts.add(absent.text, JOINED_WEIGHT, absenceOf(absent.thing), { answers: both })
  }
  for (const { chain, words, answers } of chainParts) {
    const unwanted = unwantedIn(chain)
    if (chain.joined !== null) addAbsence(concepts, chain.joined, answers)
    for (const { word, leaves, answers: own } of words) {
      addAbsence(concepts, word.text, own)
      const answersOf = (part: string): number[] => own.filter((_, i) => i < leaves.length && part.includes(leaves[i]))
      if (word.isName) {
        // "4872" may find "c4872a" in another spelling. But if documents have "c4872a", the user means exactly that.
        const condition = { unless: TERMS.of(word.text) }
        for (const part of word.parts) concepts.add(part, PIECE_SHARE, TERMS.of(part), condition)
      } else {
        for (const part of word.parts)
          concepts.add(part, PART_WEIGHT, TERMS.of(part), { ...unwanted, answers: answersOf(part) })
      }
      if (language === 'en' || language === 'other') continue
      for (const part of COMPOUNDS.of(word.text)) {
        const terms = { de: TERMS.of(part).de, en: null, other: null }
        concepts.add(part, PART_WEIGHT, terms, { ...unwanted, answers: answersOf(part) })
      }
    }
  }
  for (const { chain, before, answers } of chainParts) {
    const pair = before < 0 ? null : pairOf(chainParts[before].chain, chain)
    if (pair !== null)
      concepts.add(pair, PAIR_WEIGHT, TERMS.of(pair), {
        answers: [...chainParts[before].answers, ...answers],
        ifKnown: true,
        isPair: true,
      })
  }
  return concepts.list
}

/** Gives each required word of a query its number. */
class Numbers {
  #used = 0

  /** Returns the next `count` numbers. */
  next(count: number): number[] {
    return Array.from({ length: count }, () => this.#used++)
  }
}

/** Returns the smallest words inside a compound, which together say as much as the compound; none for other words. */
function leavesOf(word: Word, language: QueryLanguage): readonly string[] {
  if (word.isName) return []
  const isGerman = language !== 'en' && language !== 'other'
  const parts = word.parts.length > 0 ? word.parts : isGerman ? COMPOUNDS.of(word.text) : []
  return parts.filter((part) => !parts.some((other) => other !== part && part.includes(other)))
}

/** Returns two neighbouring words written as one; null where such a spelling is not to be expected. */
function pairOf(left: QueryChain, right: QueryChain): string | null {
  if (!right.isNext || right.withBefore !== null || left.words.length !== 1 || right.words.length !== 1) return null
  if (/^\p{N}/u.test(left.raw)) return null
  const pair = left.words[0].text + right.words[0].text
  return pair.length < PAIR_LENGTH_MIN || pair.length > PAIR_LENGTH_MAX ? null : pair
}

/**
 * Returns the condition on which an absent thing is no concept. A query for something "ohne Zucker" must not match
 * sugar if any document says that it has none. If no document says so, the plain word is the only clue ("ohne Termin"
 * in a handbook about appointments).
 */
function unwantedIn({ absent }: QueryChain): Pick<QueryConcept, 'unless'> {
  return absent?.isThing ? { unless: absenceOf(absent.thing) } : {}
}

/** Adds the absence that a single word says, such as "zuckerfrei". */
function addAbsence(concepts: Concepts, word: string, answers: readonly number[]): void {
  const thing = absentIn(word)
  if (thing !== null) concepts.add(`-${thing}`, PART_WEIGHT, absenceOf(thing), { answers })
}

function absenceOf(thing: string): QueryConcept['terms'] {
  return { de: absenceTerm('de', thing), en: absenceTerm('en', thing), other: absenceTerm('other', thing) }
}

function termsInEach(word: string): QueryConcept['terms'] {
  return { de: termOf('de', word), en: termOf('en', word), other: word }
}

function everywhere(term: string): QueryConcept['terms'] {
  return { de: term, en: term, other: term }
}

type More = Pick<QueryConcept, 'answers' | 'unless' | 'ifKnown' | 'isPair'>

/**
 * Collects concepts in order. A concept whose terms were all collected before is not added: the earlier concept counts
 * once more, and also answers the numbers of the repeated one.
 */
class Concepts {
  readonly list: QueryConcept[] = []
  /** By partition and term, the index in `list` of the first concept that has the term. */
  readonly #places = { de: new Map<string, number>(), en: new Map<string, number>(), other: new Map<string, number>() }

  add(text: string, weight: number, terms: QueryConcept['terms'], more: More = {}): void {
    let first: number | undefined
    let isNew = false
    for (const partition of PARTITIONS) {
      const term = terms[partition]
      if (term === null) continue
      const at = this.#places[partition].get(term)
      if (at === undefined) isNew = true
      else first ??= at
    }
    if (!isNew) return this.#repeat(first!, weight, more)
    const next = this.list.length
    if (next >= ANALYSED_MAX) return
    for (const partition of PARTITIONS) {
      const term = terms[partition]
      const places = this.#places[partition]
      if (term !== null && !places.has(term)) places.set(term, next)
    }
    this.list.push({ text, weight, terms, ...more })
  }

  #repeat(at: number, weight: number, { answers = [], ifKnown }: More): void {
    const first = this.list[at]
    const all = new Set([...(first.answers ?? []), ...answers])
    const times = first.weight === weight && ifKnown !== true ? (first.times ?? 1) + 1 : first.times
    this.list[at] = {
      ...first,
      ...(times === undefined ? {} : { times }),
      ...(all.size === 0 ? {} : { answers: [...all] }),
    }
  }
}
