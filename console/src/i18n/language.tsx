import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { formatsOf, type Formats } from './formats.ts'
import { keepLanguage, keepOwnLanguage, type Language, spokenLanguage } from './languages.ts'
import { lazyFile } from '../api/lazy-file.ts'
import type { Words } from './words.ts'

const SOURCES: Readonly<Record<Language, () => Promise<{ readonly words: Words }>>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
}

/** "en" alone would write American dates; "21 November" is clear to everybody. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' }

interface Spoken {
  readonly language: Language
  readonly words: Words
  readonly formats: Formats
  /** Changes the language as soon as its words have arrived, and keeps the choice in this browser. */
  readonly speak: (language: Language) => void
  /** Speaks the language of the account, in place of a choice in this browser; null takes the browser's. */
  readonly follow: (own: Language | null) => void
}

const Context = createContext<Spoken | null>(null)

/** The words that all pages share, of the language that is spoken at the start. */
export const firstWords = (): Promise<Words> => wordsIn(spokenLanguage())

const wordsIn = async (language: Language): Promise<Words> => (await lazyFile(SOURCES[language])).words

/** Gives its children, and the parts of React Aria, the texts of the chosen language. */
export function LanguageProvider(props: { readonly first: Words; readonly children: ReactNode }) {
  const [{ language, words }, set] = useState({ language: spokenLanguage(), words: props.first })
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const spoken = useMemo((): Spoken => {
    // What is shown stays until the words of the page are there as well.
    const show = (chosen: Language): void =>
      void wordsIn(chosen).then((next) => startTransition(() => set({ language: chosen, words: next })))
    return {
      language,
      words,
      formats: formatsOf(LOCALES[language]),
      speak: (chosen) => {
        keepLanguage(chosen)
        show(chosen)
      },
      follow: (own) => show(keepOwnLanguage(own)),
    }
  }, [language, words])
  return (
    <Context value={spoken}>
      <I18nProvider locale={LOCALES[language]}>{props.children}</I18nProvider>
    </Context>
  )
}

export function useLanguage(): Spoken {
  const spoken = useContext(Context)
  if (spoken === null) throw new Error('There is no LanguageProvider above')
  return spoken
}

/** The words that all pages share, in the language that is spoken. */
export const useWords = (): Words => useLanguage().words
