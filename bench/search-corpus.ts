/**
 * Makes entries and queries for the search benchmark: text from real German and English words with realistic
 * frequencies, about 500 subjects with their own words. Every run makes the same.
 */
import { isGermanNoun } from '../src/search/analysis/compounds.ts'
import { ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from '../src/search/analysis/function-words.ts'
import { randomSource, zipfSource } from './support/random.ts'
import { benchWords } from './support/words.ts'

const SUBJECTS = 500
const SUBJECT_WORDS = 150
const WORDS_MIN = 80
const WORDS_MAX = 160

export interface BenchEntry {
  readonly title: string
  readonly content: string
  readonly language: string
  /** Number of the entry's category, 0 to 99; each category has 1 percent of the entries. */
  readonly category: number
  /** One of ten layers; each has 10 percent of the entries. */
  readonly layer: string
  /** The first tag is one of two; each is on 50 percent of the entries. */
  readonly tags: readonly string[]
}

export interface Corpus {
  readonly entries: readonly BenchEntry[]
  readonly queries: readonly string[]
}

interface Subject {
  readonly language: 'de' | 'en'
  readonly word: () => string
  readonly general: () => string
  readonly function: () => string
}

export function makeCorpus(entryCount: number, queryCount: number): Corpus {
  const random = randomSource(7)
  const subjects = makeSubjects(random)
  const between = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1))
  const subject = (): Subject => subjects[Math.floor(random() * subjects.length)]
  const entries = Array.from({ length: entryCount }, (_, i) => {
    const own = subject()
    const title = sentence(own, between(3, 7), random)
    const content = text(own, between(WORDS_MIN, WORDS_MAX), random)
    // Random numbers per entry, so that no filter correlates with a subject.
    return {
      title: title.slice(0, -1),
      content,
      language: own.language,
      category: i % 100,
      layer: `layer-${Math.floor(i / 100) % 10}`,
      tags: [Math.floor(i / 1_000) % 2 === 0 ? 'internal-use' : 'for-customers', own.word(), own.word()],
    }
  })
  const queries = Array.from({ length: queryCount }, () => {
    const own = subject()
    return Array.from({ length: between(2, 8) }, () => (random() < 0.3 ? own.function() : own.word())).join(' ')
  })
  return { entries, queries }
}

function makeSubjects(random: () => number): Subject[] {
  const words = benchWords()
  const isFunction = (word: string): boolean => GERMAN_FUNCTION_WORDS.has(word) || ENGLISH_FUNCTION_WORDS.has(word)
  const content = words.filter((word) => !isFunction(word))
  const languages = {
    de: { content: content.filter(isGermanNoun).map(capitalised), functions: [...GERMAN_FUNCTION_WORDS] },
    en: { content: content.filter((word) => !isGermanNoun(word)), functions: [...ENGLISH_FUNCTION_WORDS] },
  }
  return Array.from({ length: SUBJECTS }, (_, i) => {
    const language = i % 2 === 0 ? 'de' : 'en'
    const { content: own, functions } = languages[language]
    const drawn = Array.from({ length: SUBJECT_WORDS }, () => own[Math.floor(random() * own.length)])
    return {
      language,
      word: zipfSource(drawn, random),
      general: zipfSource(own, random),
      function: zipfSource(functions, random),
    }
  })
}

function text(subject: Subject, words: number, random: () => number): string {
  const sentences: string[] = []
  for (let left = words; left > 0;) {
    const length = Math.min(left, 8 + Math.floor(random() * 13))
    sentences.push(sentence(subject, length, random))
    left -= length
  }
  return sentences.join(' ')
}

/**
 * Makes a sentence. About two words in five are function words, as in ordinary text, and as many belong to the subject.
 */
function sentence(subject: Subject, words: number, random: () => number): string {
  const drawn = Array.from({ length: words }, () => {
    const which = random()
    return which < 0.4 ? subject.function() : which < 0.8 ? subject.word() : subject.general()
  })
  return `${capitalised(drawn.join(' '))}.`
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
