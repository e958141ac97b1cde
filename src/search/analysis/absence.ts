/**
 * Finds in texts that something lacks a thing, which can be said in many ways: "ohne Zucker", "zuckerfrei", "frei von
 * Zucker", "sugar-free", "without sugar". All of these get one term, so that a query in one spelling finds documents in
 * any other.
 */
import { ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'
import { type Partition, termOf } from './partitions.ts'

const SUFFIX = /^(\p{L}{3,})(?:frei(?:e[mnrs]?)?|free)$/u
const LETTERS = /^\p{L}{2,}$/u

/** Role of most words: they do not say that something is absent. */
export const NO_ROLE = 0
/** Role of "ohne", "without": the next word names the absent thing. */
const WITHOUT = 1
/** Role of "frei", "free": the word before names the absent thing, or the word after a following link. */
export const FREE = 2
/** Role of "von", "from", "of": links "free" to the absent thing. */
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

/** Returns the role of a folded word. */
export function roleOf(word: string): number {
  return ROLES.get(word) ?? NO_ROLE
}

/** Returns the term for the absence of a thing. It begins with a hyphen, so that it never equals the term of a word. */
export function absenceTerm(partition: Partition, thing: string): string {
  return `-${termOf(partition, thing)}`
}

/** Returns the thing that a single word says is absent ("zuckerfrei", "sugarfree"); null for most words. */
export function absentIn(word: string): string | null {
  return word.includes('fre', 3) ? (SUFFIX.exec(word)?.[1] ?? null) : null
}

/** Tells whether a word can name an absent thing: it is no function word ("ohne dich", "for free") and has no role. */
function isThing(word: string): boolean {
  if (GERMAN_FUNCTION_WORDS.has(word) || ENGLISH_FUNCTION_WORDS.has(word)) return false
  return LETTERS.test(word) && !ROLES.has(word)
}

/** Reads the words of a text one by one, and finds the absent thing that a word completes with the words before it. */
export class AbsenceReader {
  #role = NO_ROLE
  #roleBefore = NO_ROLE
  #word = ''

  /**
   * Reads the next word.
   * @param adjacent whether only a space separates the word from the one before
   * @param role role of the word
   * @param word the folded word; empty when the chain is not exactly one word
   * @returns the absent thing, which is this word or the one before; null for most words
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
