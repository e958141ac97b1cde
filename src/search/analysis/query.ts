/** Turns a query into the concepts it asks for. */
import { AbsenceReader, absenceTerm, absentIn, FREE, roleOf } from './absence.ts'
import { splitCompound } from './compounds.ts'
import { isFunctionWord, type QueryLanguage, queryLanguage, sureLanguage } from './query-language.ts'
import { type Partition, PARTITIONS, partitionOf, termOf } from './partitions.ts'
import { isNext, joinedNeighbours, mayJoin } from './neighbours.ts'
import { eachChain } from './tokeniser.ts'
import { type Chain, readChain, readUnspaced, type Word } from './words.ts'

/** One thing a query asks for. */
export interface QueryConcept {
  /** As the user wrote it, or the part of it that the concept stands for; shown in explanations. */
  readonly text: string
  /** Weight in BM25 and in coverage, over 0: 1 for a word, less for a compound's part. */
  readonly weight: number
  /** How often the query has it; absent for once. */
  readonly times?: number
  /** Its term in each partition; null where that partition's documents cannot contain it. */
  readonly terms: Readonly<Record<Partition, string | null>>
  /**
   * The concept is dropped if one of these terms occurs: terms that say better what is meant, such as the whole word.
   */
  readonly unless?: Readonly<Record<Partition, string | null>>
}

/** How many concepts analysis gives; `query-bound.ts` keeps those that say most. */
export const ANALYSED_MAX = 512
/** Weight of a part of a compound or identifier; the whole has 1. */
export const PART_WEIGHT = 0.3
/** Weight of the joined spelling of a chain; its words have 1 each. */
export const JOINED_WEIGHT = 0.5
const CHAINS_MAX = 512

/** A chain of the query, before function words are left out. */
export interface QueryChain {
  readonly raw: string
  readonly words: readonly Word[]
  readonly joined: string | null
  /** This chain joined with the one before, if one is a number and the other its word ("32 GB"). */
  readonly withBefore: string | null
  /** What this chain and those before it say is absent, and in which words. The chain is the thing itself or "free". */
  readonly absent: { readonly thing: string; readonly text: string; readonly isThing: boolean } | null
  /** Of a script without spaces: its pairs of characters, or its only character. */
  readonly unspaced: readonly string[]
  /** Whether the chain follows an apostrophe. */
  readonly afterApostrophe: boolean
  /** Written in capitals while the rest of the query is not: IT, US, WHO, MIT are names. */
  readonly capitals: boolean
}

export interface QueryReading {
  readonly concepts: readonly QueryConcept[]
  /** The partition of the language that function words and umlauts show; null if they do not. */
  readonly language: Partition | null
}

/** The concepts of a query, and its language if it is sure. */
export function readQuery(text: string): QueryReading {
  const chains = chainsOf(text)
  const language = sureLanguage(chains)
  return {
    concepts: tellingConcepts(chains, queryLanguage(chains)),
    language: language === 'unknown' ? null : language,
  }
}

/**
 * The concepts of a query, at most `ANALYSED_MAX`: first words, then joined spellings and parts. A concept that is asked
 * for again counts again, but a part does not count beside the same word. Function words are left out unless the query
 * has no other words. Empty when the query has no letter or digit.
 * @param language ISO 639 code if the caller knows it; with null the words decide
 */
export function analyseQuery(text: string, language: string | null): readonly QueryConcept[] {
  const chains = chainsOf(text)
  return tellingConcepts(chains, language === null ? queryLanguage(chains) : partitionOf(language))
}

function tellingConcepts(chains: readonly QueryChain[], spoken: QueryLanguage): readonly QueryConcept[] {
  const telling = chains.filter((chain) => !isFunctionWord(chain, spoken))
  return conceptsOf(telling.length > 0 ? telling : chains, spoken)
}

const NO_CHAIN: Chain = { words: [], joined: null }

function chainsOf(text: string): QueryChain[] {
  const chains: QueryChain[] = []
  let leftStart = 0
  let leftEnd = -1
  const absences = new AbsenceReader()
  const shouting = text === text.toUpperCase()
  eachChain(text, (start, end, unspaced) => {
    if (chains.length >= CHAINS_MAX) return
    const raw = text.slice(start, end)
    const afterApostrophe = start > 0 && "'\u2019".includes(text[start - 1])
    const chain = unspaced ? NO_CHAIN : readChain(raw)
    const only = chain.words.length === 1 ? chain.words[0].text : ''
    const role = roleOf(only)
    const thing = absences.next(isNext(text, leftEnd, start), role, only)
    const absent = thing === null ? null : { thing, text: text.slice(leftStart, end), isThing: role !== FREE }
    const withBefore = mayJoin(text, leftStart, leftEnd, start)
      ? joinedNeighbours(text.slice(leftStart, leftEnd), raw)
      : null
    leftStart = start
    leftEnd = end
    const capitals = !shouting && raw.length > 1 && raw === raw.toUpperCase()
    if (unspaced) {
      const { characters, pairs } = readUnspaced(raw)
      const terms = pairs.length > 0 ? pairs : characters
      chains.push({ raw, ...chain, unspaced: terms, absent, withBefore, afterApostrophe, capitals })
    } else chains.push({ raw, ...chain, unspaced: [], absent, withBefore, afterApostrophe, capitals })
  })
  return chains.filter((chain) => chain.words.length > 0 || chain.unspaced.length > 0)
}

function conceptsOf(chains: readonly QueryChain[], language: QueryLanguage): readonly QueryConcept[] {
  const collected = new Concepts()
  for (const chain of chains) {
    for (const term of chain.unspaced) collected.add(term, 1, everywhere(term))
    const unwanted = unwantedIn(chain)
    if (unwanted.unless !== undefined) collected.add(chain.absent!.text, 1, unwanted.unless)
    for (const { text } of chain.words) {
      // A single letter, like the E of "E-Mail", says little.
      const weight = chain.words.length > 1 && text.length === 1 ? PART_WEIGHT : 1
      collected.add(chain.words.length > 1 ? text : chain.raw, weight, inEach(text), unwanted)
    }
  }
  for (const { joined, withBefore, absent } of chains) {
    for (const whole of [joined, withBefore]) {
      if (whole !== null) collected.add(whole, JOINED_WEIGHT, inEach(whole))
    }
    if (absent !== null && !absent.isThing) collected.add(absent.text, JOINED_WEIGHT, absenceOf(absent.thing))
  }
  for (const chain of chains) {
    const unwanted = unwantedIn(chain)
    if (chain.joined !== null) addAbsence(collected, chain.joined)
    for (const word of chain.words) {
      addAbsence(collected, word.text)
      if (word.parts.length > 0) {
        // "4872" may be another spelling of "c4872a". But if documents have "c4872a", the user means exactly that.
        const condition = isName(word.text) ? { unless: inEach(word.text) } : unwanted
        for (const part of word.parts) collected.add(part, PART_WEIGHT, inEach(part), condition)
      }
      if (language === 'en' || language === 'other') continue
      for (const part of splitCompound(word.text)) {
        collected.add(part, PART_WEIGHT, { de: termOf('de', part), en: null, other: null }, unwanted)
      }
    }
  }
  return collected.list
}

/**
 * A query for something "ohne Zucker" must not match sugar if any document says that it has none. If no document says
 * so, the plain word is the only clue ("ohne Termin" in a handbook about appointments).
 */
function unwantedIn({ absent }: QueryChain): Pick<QueryConcept, 'unless'> {
  return absent?.isThing ? { unless: absenceOf(absent.thing) } : {}
}

function addAbsence(collected: Concepts, word: string): void {
  const thing = absentIn(word)
  if (thing !== null) collected.add(`-${thing}`, PART_WEIGHT, absenceOf(thing))
}

function absenceOf(thing: string): QueryConcept['terms'] {
  return { de: absenceTerm('de', thing), en: absenceTerm('en', thing), other: absenceTerm('other', thing) }
}

/** Whether a word is a name, such as a part number, a measure or "C++": then its parts are not what the user means. */
function isName(word: string): boolean {
  return /[\p{N}+#]/u.test(word)
}

function inEach(word: string): QueryConcept['terms'] {
  return { de: termOf('de', word), en: termOf('en', word), other: word }
}

function everywhere(term: string): QueryConcept['terms'] {
  return { de: term, en: term, other: term }
}

/** Collects concepts in order; counts one whose terms were all collected before. */
class Concepts {
  readonly list: QueryConcept[] = []
  /** By partition and term, the place in the list of the first concept that has it. */
  readonly #asked = new Map<string, number>()

  add(text: string, weight: number, terms: QueryConcept['terms'], condition: Pick<QueryConcept, 'unless'> = {}): void {
    const keys = PARTITIONS.filter((partition) => terms[partition] !== null).map((each) => `${each} ${terms[each]}`)
    if (keys.every((key) => this.#asked.has(key))) {
      this.#count(this.#asked.get(keys[0])!, weight)
      return
    }
    if (this.list.length >= ANALYSED_MAX) return
    for (const key of keys) if (!this.#asked.has(key)) this.#asked.set(key, this.list.length)
    this.list.push({ text, weight, terms, ...condition })
  }

  #count(at: number, weight: number): void {
    const concept = this.list[at]
    if (concept.weight === weight) this.list[at] = { ...concept, times: (concept.times ?? 1) + 1 }
  }
}
