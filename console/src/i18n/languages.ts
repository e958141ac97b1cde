import { PERSONAL } from '../api/personal-storage.ts'

/** The languages of the console, each by its own name for itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Chosen in this browser, whoever uses it. */
const CHOSEN = 'language'
/** Of the account of who is signed in; forgotten when they sign out. */
const OWN = `${PERSONAL}language`

let spoken = firstLanguage([stored(CHOSEN), stored(OWN)], navigator.languages)

/** The language that the console speaks now, for code outside of components. */
export const spokenLanguage = (): Language => spoken

/** Whether somebody chose a language in this browser. */
export const isLanguageChosen = (): boolean => stored(CHOSEN) !== null

/** The language of the account, as this browser knows it; null without one. */
export const ownLanguage = (): string | null => stored(OWN)

/** Keeps the choice for later visits. */
export function keepLanguage(language: Language): void {
  spoken = language
  store(CHOSEN, language)
}

/**
 * Keeps the language of the account, in place of a choice in this browser.
 * @param own null when the person leaves it to the browser
 * @returns the language to speak
 */
export function keepOwnLanguage(own: Language | null): Language {
  store(CHOSEN, null)
  store(OWN, own)
  spoken = firstLanguage([own], navigator.languages)
  return spoken
}

/** The first known one of those chosen, else the first known one that the browser names, else English. */
function firstLanguage(chosen: readonly (string | null)[], wanted: readonly string[]): Language {
  const tags = [...chosen, ...wanted].map((tag) => tag?.toLowerCase().split('-', 1)[0])
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
