/** The languages of the console, each by its own name for itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

const STORED = 'language'

let spoken = firstLanguage(stored(), navigator.languages)

/** The language that the console speaks now, for code outside of components. */
export const spokenLanguage = (): Language => spoken

/** Keeps the choice for later visits. */
export function keepLanguage(language: Language): void {
  spoken = language
  // A browser may forbid storage; the choice then lasts as long as the page.
  try {
    localStorage.setItem(STORED, language)
  } catch {}
}

/** The chosen language, else the first known one that the browser names, else English. */
function firstLanguage(chosen: string | null, wanted: readonly string[]): Language {
  const tags = chosen === null ? wanted : [chosen, ...wanted]
  const known = tags.map((tag) => tag.toLowerCase().split('-', 1)[0]).find((tag) => tag === 'en' || tag === 'de')
  return known ?? 'en'
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}
