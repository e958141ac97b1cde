import { PERSONAL } from '../api/personal-storage.ts'

/** The languages of the console, each by its own name for itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Key of the language that was chosen in this browser; it holds for all people who use the browser. */
const CHOSEN = 'language'
/** Key of the language of the signed-in person's account; erased when they sign out. */
const OWN = `${PERSONAL}language`

let spoken = firstLanguage([stored(CHOSEN), stored(OWN)], navigator.languages)

/** Returns the present language of the console, for code outside of components. */
export const spokenLanguage = (): Language => spoken

/** Tells whether a language was chosen in this browser. */
export const isLanguageChosen = (): boolean => stored(CHOSEN) !== null

/** Returns the language of the account as this browser has it stored; null without one. */
export const ownLanguage = (): string | null => stored(OWN)

/** Stores the choice in the browser for later visits. */
export function keepLanguage(language: Language): void {
  spoken = language
  store(CHOSEN, language)
}

/**
 * Stores the language of the account in place of a choice in this browser.
 * @param own null when the person leaves it to the browser
 * @returns the language that the console shows from now on
 */
export function keepOwnLanguage(own: Language | null): Language {
  store(CHOSEN, null)
  store(OWN, own)
  spoken = firstLanguage([own], navigator.languages)
  return spoken
}

/**
 * Returns the first language of the console among the tags that were chosen, else among those that the browser names,
 * else English.
 */
function firstLanguage(chosen: readonly (string | null)[], browserTags: readonly string[]): Language {
  const tags = [...chosen, ...browserTags].map((tag) => tag?.toLowerCase().split('-', 1)[0])
  return tags.find((tag) => tag === 'en' || tag === 'de') ?? 'en'
}

// A browser may forbid storage; a choice then lasts as long as the page.
function store(key: string, language: Language | null): void {
  try {
    if (language === null) localStorage.removeItem(key)
    else localStorage.setItem(key, language)
  } catch {}
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
