import type { Synonym as EngineSynonym } from '../../../search/engine.ts'
import type { SearchVocabulary, Synonym } from './contract.ts'
import { areAllKnown, isSameWord, keysOf, type KnownWord, placeOfPhrase, queryWordsOf, wordsOf } from './words.ts'

/** Weight of a synonym, as a share of the typed word's: of two equal products, the one with the typed word comes first. */
const SYNONYM_SHARE = 0.9
/** Most words that a query gets from synonyms. */
const MEANT_MAX = 64

/** Of a phrase, and of each of its words beside its letters, which are in its terms and keys too. */
const PHRASE_BYTES = 200
const WORD_BYTES = 250
const LETTER_BYTES = 8
/** Of one phrase in a list of others. */
const PLACE_BYTES = 8

type Phrase = readonly KnownWord[]

/** A phrase, and those it also stands for. */
interface Meaning {
  readonly of: Phrase
  /** The keys of its words. */
  readonly keys: readonly (readonly string[])[]
  readonly others: readonly Phrase[]
}

export interface CompiledVocabulary {
  /** By the stems of their first word in each language. */
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>
  readonly stopWords: ReadonlySet<string>
  /** Approximate: what all of it takes in memory. */
  readonly bytes: number
}

export function compileVocabulary({ synonyms, stop_words }: SearchVocabulary): CompiledVocabulary {
  const meanings = new Map<string, Meaning[]>()
  const stopped = stop_words.map(wordsOf)
  let bytes = bytesOf(stopped)
  for (const synonym of synonyms) {
    const made = meaningsOf(synonym)
    // Both ways, the others of each phrase are phrases of the other meanings.
    const isOneWay = made.length === 1
    for (const meaning of made) {
      bytes += bytesOf([meaning.of]) + (isOneWay ? bytesOf(meaning.others) : PLACE_BYTES * meaning.others.length)
      for (const key of meaning.keys[0]) {
        const held = meanings.get(key)
        if (held === undefined) meanings.set(key, [meaning])
        else held.push(meaning)
      }
    }
  }
  return { meanings, stopWords: new Set(stopped.flat().flatMap(keysOf)), bytes }
}

function bytesOf(phrases: readonly Phrase[]): number {
  let bytes = 0
  for (const phrase of phrases) {
    bytes += PHRASE_BYTES
    for (const { text } of phrase) bytes += WORD_BYTES + LETTER_BYTES * text.length
  }
  return bytes
}

/** One way with `from`, else from each phrase to the others. Phrases without a letter or digit mean nothing. */
function meaningsOf({ words, from = null }: Synonym): Meaning[] {
  const phrases = words.map(wordsOf).filter((phrase) => phrase.length > 0)
  const typed = from === null ? phrases : [wordsOf(from)].filter((phrase) => phrase.length > 0)
  return typed.map((of) => ({ of, keys: of.map(keysOf), others: phrases.filter((other) => other !== of) }))
}

/** The words that the words of a query also stand for. Each word of a phrase weighs its share of it. */
export function synonymsFor(query: string, { meanings }: CompiledVocabulary): EngineSynonym[] {
  if (meanings.size === 0) return []
  const words = queryWordsOf(query)
  const known = new Set(words.flatMap(keysOf))
  const met = new Set<Meaning>()
  for (const key of known) {
    // Thousands of phrases may begin with one word. Few of them have all their words in the query.
    for (const meaning of meanings.get(key) ?? []) if (areAllKnown(meaning.keys, known)) met.add(meaning)
  }
  const found: EngineSynonym[] = []
  for (const { of, others } of met) {
    if (found.length >= MEANT_MAX) break
    const place = placeOfPhrase(words, of)
    if (place < 0) continue
    const meanings = of.flatMap((typed, i) => {
      const meant = others.flatMap((other) =>
        other
          .filter((word) => !isSameWord(word, typed))
          .map(({ text }) => ({ of: typed.text, word: text, share: SYNONYM_SHARE / other.length })),
      )
      // "Sofas" has the English stem of "Sofa" but not the German one, and a word with synonyms is not corrected.
      return words[place + i].text === typed.text ? meant : [{ of: typed.text, word: typed.text, share: 1 }, ...meant]
    })
    found.push(...meanings)
  }
  return found.slice(0, MEANT_MAX)
}

/** The query without stop words; the whole query when it has no other words. */
export function withoutStopWords(query: string, { stopWords }: CompiledVocabulary): string {
  if (stopWords.size === 0) return query
  const isStopWord = (word: KnownWord): boolean => keysOf(word).some((key) => stopWords.has(key))
  const kept = query.split(/\s+/).filter((chain) => {
    const words = wordsOf(chain)
    return words.length === 0 || !words.every(isStopWord)
  })
  return kept.some((chain) => wordsOf(chain).length > 0) ? kept.join(' ') : query
}
