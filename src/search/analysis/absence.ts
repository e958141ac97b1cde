/**
 * What something is without is said in many ways and means one: "ohne Zucker", "zuckerfrei", "frei von Zucker",
 * "sugar-free", "without sugar". All have one term, so that whoever asks for it finds what says it, however it does.
 */
import { ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'
import { type Partition, termOf } from './partitions.ts'

const SUFFIX = /^(\p{L}{3,})(?:frei(?:e[mnrs]?)?|free)$/u
const LETTERS = /^\p{L}{2,}$/u

/** What a word does in saying that something is absent. */
export const NO_ROLE = 0
/** "ohne", "without": names what is absent next. */
const WITHOUT = 1
/** "frei", "free": what is absent stands before it, or behind it and one of the next. */
export const FREE = 2
/** "von", "from", "of". */
const LINK = 3

const ROLES: ReadonlyMap<string, number> = new Map([
  ['ohne', WITHOUT],
  ['without', WITHOUT],
  ['frei', FREE],
  ['free', FREE],
  ['von', LINK],
  ['from', LINK],
  ['of', LINK],
])

export function roleOf(word: string): number {
  return ROLES.get(word) ?? NO_ROLE
}

/** The term under which the absence of a thing is found; no word has a hyphen, so that it meets no other. */
export function absenceTerm(partition: Partition, thing: string): string {
  return `-${termOf(partition, thing)}`
}

/** What a word by itself says is absent ("zuckerfrei", "sugarfree"); null for most words. */
export function absentIn(word: string): string | null {
  return word.includes('fre', 3) ? (SUFFIX.exec(word)?.[1] ?? null) : null
}

/** Whether a word can name what is absent: not grammar ("ohne dich", "for free"), and not one that says absence itself. */
function isThing(word: string): boolean {
  if (GERMAN_FUNCTION_WORDS.has(word) || ENGLISH_FUNCTION_WORDS.has(word)) return false
  return LETTERS.test(word) && !ROLES.has(word)
}

/** Follows the words of a text and tells what each, with those before it, says is absent. */
export class AbsenceReader {
  #role = NO_ROLE
  #roleBefore = NO_ROLE
  #word = ''

  /**
   * @param adjacent whether the word is only a space behind the one before
   * @param role of the word
   * @param word empty for what is more or less than one word
   */
  next(adjacent: boolean, role: number, word: string): string | null {
    const opened = this.#role === WITHOUT || (this.#role === LINK && this.#roleBefore === FREE)
    const thing = !adjacent ? '' : opened ? word : role === FREE ? this.#word : ''
    this.#roleBefore = adjacent ? this.#role : NO_ROLE
    this.#role = role
    this.#word = word
    return thing !== '' && isThing(thing) ? thing : null
  }
}
