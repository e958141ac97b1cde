import type { Synonym as EngineSynonym } from '../../../search/engine.ts'
import type { SearchVocabulary, Synonym } from './contract.ts'
import { areAllAmong, isSameWord, keysOf, type StemmedWord, placeOfPhrase, queryWordsOf, wordsOf } from './words.ts'

/** Weight of a synonym as a share of the typed word's: a product with the typed word comes before an equal one. */
const SYNONYM_SHARE = 0.9
/** Most words that synonyms add to a query. */
const ADDED_WORDS_MAX = 64

/** Approximate bytes of a phrase, and of each of its words besides the letters, which are in its terms and keys too. */
const PHRASE_BYTES = 200
const WORD_BYTES = 250
const LETTER_BYTES = 8
/** Bytes of a reference to a phrase. */
const REFERENCE_BYTES = 8

type Phrase = readonly StemmedWord[]

/** Phrase, and the phrases that it also stands for. */
interface Meaning {
  readonly of: Phrase
  /** Keys of each word of the phrase. */
  readonly keys: readonly (readonly string[])[]
  readonly others: readonly Phrase[]
}

export interface CompiledVocabulary {
  /** Meanings by each key of the first word of their phrase. */
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>
  readonly stopWords: ReadonlySet<string>
  /** Approximate bytes of the whole vocabulary in memory. */
  readonly bytes: number
}

export function compileVocabulary({ synonyms, stop_words }: SearchVocabulary): CompiledVocabulary {
  const meanings = new Map<string, Meaning[]>()
  const stopPhrases = stop_words.map(wordsOf)
  let bytes = bytesOf(stopPhrases)
  for (const synonym of synonyms) {
    const synonymMeanings = meaningsOf(synonym)
    // In a synonym that works both ways, the other phrases are counted as phrases of their own meanings.
    const isOneWay = synonymMeanings.length === 1
    for (const meaning of synonymMeanings) {
      bytes += bytesOf([meaning.of]) + (isOneWay ? bytesOf(meaning.others) : REFERENCE_BYTES * meaning.others.length)
      for (const key of meaning.keys[0]) {
        const meaningsOfKey = meanings.get(key)
        if (meaningsOfKey === undefined) meanings.set(key, [meaning])
        else meaningsOfKey.push(meaning)
      }
    }
  }
  return { meanings, stopWords: new Set(stopPhrases.flat().flatMap(keysOf)), bytes }
}

function bytesOf(phrases: readonly Phrase[]): number {
  let bytes = 0
  for (const phrase of phrases) {
    bytes += PHRASE_BYTES
    for (const { text } of phrase) bytes += WORD_BYTES + LETTER_BYTES * text.length
  }
  return bytes
}

/** Returns the meanings of `from`, or else of each phrase. Leaves out phrases without a letter or digit. */
function meaningsOf({ words, from = null }: Synonym): Meaning[] {
  const phrases = words.map(wordsOf).filter((phrase) => phrase.length > 0)
  const typed = from === null ? phrases : [wordsOf(from)].filter((phrase) => phrase.length > 0)
  return typed.map((of) => ({ of, keys: of.map(keysOf), others: phrases.filter((other) => other !== of) }))
}

/** Returns the words that a query's words also stand for. The words of a phrase share its weight. */
export function synonymsFor(query: string, { meanings }: CompiledVocabulary): EngineSynonym[] {
  if (meanings.size === 0) return []
  const words = queryWordsOf(query)
  const queryKeys = new Set(words.flatMap(keysOf))
  const candidates = new Set<Meaning>()
  for (const key of queryKeys) {
    // Thousands of phrases may begin with one word. Few of them have all their words in the query.
    for (const meaning of meanings.get(key) ?? []) if (areAllAmong(meaning.keys, queryKeys)) candidates.add(meaning)
  }
  const engineSynonyms: EngineSynonym[] = []
  for (const { of, others } of candidates) {
    if (engineSynonyms.length >= ADDED_WORDS_MAX) break
    const place = placeOfPhrase(words, of)
    if (place < 0) continue
    const meanings = of.flatMap((typed, i) => {
      const meant = others.flatMap((other) =>
        other
          .filter((word) => !isSameWord(word, typed))
          .map(({ text }) => ({ of: typed.text, word: text, share: SYNONYM_SHARE / other.length })),
      )
      // "Sofas" has the English stem of "Sofa" but not the German one. A word with synonyms is not corrected, so the
      // other form has to be among its synonyms.
      return words[place + i].text === typed.text ? meant : [{ of: typed.text, word: typed.text, share: 1 }, ...meant]
    })
    engineSynonyms.push(...meanings)
  }
  return engineSynonyms.slice(0, ADDED_WORDS_MAX)
}

/** Returns the query without stop words; the whole query when it has no other words. */
export function withoutStopWords(query: string, { stopWords }: CompiledVocabulary): string {
  if (stopWords.size === 0) return query
  const isStopWord = (word: StemmedWord): boolean => keysOf(word).some((key) => stopWords.has(key))
  const chains = query.split(/\s+/).filter((chain) => {
    const words = wordsOf(chain)
    return words.length === 0 || !words.every(isStopWord)
  })
  return chains.some((chain) => wordsOf(chain).length > 0) ? chains.join(' ') : query
}
