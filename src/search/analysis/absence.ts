/**
 * Texts say in many ways that something lacks a thing: "ohne Zucker", "zuckerfrei", "frei von Zucker", "sugar-free",
 * "without sugar". All of these get one term, so a query in one spelling finds documents in any other.
 */
import { ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'
import { type Partition, termOf } from './partitions.ts'

const SUFFIX = /^(\p{L}{3,})(?:frei(?:e[mnrs]?)?|free)$/u
const LETTERS = /^\p{L}{2,}$/u

/** The role of a word in saying that something is absent. */
export const NO_ROLE = 0
/** "ohne", "without": the next word names what is absent. */
const WITHOUT = 1
/** "frei", "free": the word before names what is absent, or the one after a link. */
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

/** The term for the absence of a thing. It contains a hyphen, which no word does, so it never equals a word's term. */
export function absenceTerm(partition: Partition, thing: string): string {
  return `-${termOf(partition, thing)}`
}

/** The thing that a single word says is absent ("zuckerfrei", "sugarfree"); null for most words. */
export function absentIn(word: string): string | null {
  return word.includes('fre', 3) ? (SUFFIX.exec(word)?.[1] ?? null) : null
}

/** Whether a word can name an absent thing: it is no function word ("ohne dich", "for free") and has no role itself. */
function isThing(word: string): boolean {
  if (GERMAN_FUNCTION_WORDS.has(word) || ENGLISH_FUNCTION_WORDS.has(word)) return false
  return LETTERS.test(word) && !ROLES.has(word)
}

/** Reads the words of a text one by one and reports what each one, with those before it, says is absent. */
export class AbsenceReader {
  #role = NO_ROLE
  #roleBefore = NO_ROLE
  #word = ''

  /**
   * @param adjacent whether only a space separates the word from the one before
   * @param role the role of this word
   * @param word empty when the chain is not exactly one word
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
