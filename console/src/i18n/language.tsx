import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { de } from './de.ts'
import { en } from './en.ts'
import { formatsOf, type Formats } from './formats.ts'
import type { Words } from './words.ts'

/** The languages of the console, each by its own name for itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

const WORDS: Readonly<Record<Language, Words>> = { en, de }
const STORED = 'language'

interface Spoken {
  readonly language: Language
  readonly words: Words
  readonly formats: Formats
  readonly speak: (language: Language) => void
}

const Context = createContext<Spoken | null>(null)

/** Gives its children the texts of the chosen language, or of the first browser language that the console has. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(() => firstLanguage(stored(), navigator.languages))
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const spoken = useMemo(
    (): Spoken => ({
      language,
      words: WORDS[language],
      formats: formatsOf(language),
      speak: (chosen) => {
        store(chosen)
        setLanguage(chosen)
      },
    }),
    [language],
  )
  return <Context value={spoken}>{children}</Context>
}

export function useLanguage(): Spoken {
  const spoken = useContext(Context)
  if (spoken === null) throw new Error('There is no LanguageProvider above')
  return spoken
}

/** The words of the language that is spoken. */
export const useWords = (): Words => useLanguage().words

/** The chosen language, else the first known one that the browser names, else English. */
function firstLanguage(chosen: string | null, wanted: readonly string[]): Language {
  const tags = chosen === null ? wanted : [chosen, ...wanted]
  const known = tags.map((tag) => tag.toLowerCase().split('-', 1)[0]).find((tag) => tag === 'en' || tag === 'de')
  return known ?? 'en'
}

// A browser may forbid storage; the choice then lasts as long as the page.
function stored(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

function store(language: Language): void {
  try {
    localStorage.setItem(STORED, language)
  } catch {}
}
