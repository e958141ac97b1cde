import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { formatsOf, type Formats } from './formats.ts'
import { keepLanguage, keepOwnLanguage, type Language, spokenLanguage } from './languages.ts'
import { type EachLanguage, type Table, wordsOf } from './table.ts'
import { type Words, WORDS } from './words.ts'

/** Locales by language. "en" alone would write American dates; "21 November" is clear to readers everywhere. */
const LOCALES: EachLanguage = { en: 'en-GB', de: 'de-DE' }

interface LanguageContext {
  readonly language: Language
  readonly words: Words
  readonly formats: Formats
  /** Changes the language, and keeps the choice in this browser. */
  readonly speak: (language: Language) => void
  /** Takes the language of the account in place of a choice in this browser; null takes the browser's own. */
  readonly follow: (own: Language | null) => void
}

const Context = createContext<LanguageContext | null>(null)

/** Gives its children, and the parts of React Aria, the texts of the chosen language. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, show] = useState(spokenLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(
    (): LanguageContext => ({
      language,
      words: WORDS[language],
      formats: formatsOf(LOCALES[language]),
      speak: (chosen) => {
        keepLanguage(chosen)
        show(chosen)
      },
      follow: (own) => show(keepOwnLanguage(own)),
    }),
    [language],
  )
  return (
    <Context value={value}>
      <I18nProvider locale={LOCALES[language]}>{children}</I18nProvider>
    </Context>
  )
}

export function useLanguage(): LanguageContext {
  const value = useContext(Context)
  if (value === null) throw new Error('There is no LanguageProvider above')
  return value
}

/** Returns the words that all pages share, in the present language. */
export const useWords = (): Words => useLanguage().words

/**
 * Makes the hook that returns a page's own words in the present language. A text that lacks a language does not
 * compile.
 */
export function pageWords<Own>(table: Table<Own>): () => Own {
  const words = wordsOf(table)
  return () => words[useLanguage().language]
}
