import { use } from 'react'
import { lazyFile } from '../api/lazy-file.ts'
import { useLanguage } from './language.tsx'
import { type Language, spokenLanguage } from './languages.ts'

interface PageWords<W> {
  /** The words in the language that is spoken. Components wait for them if they are not there yet. */
  (): W
  /** Fetches the words, so that they arrive together with the page. For the page's route. */
  readonly load: () => Promise<void>
}

/**
 * A page's own words, of which only those of the shown language are fetched. The German file has the type of the
 * English one, so the compiler finds what is missing.
 */
export function pageWords<W>(sources: Readonly<Record<Language, () => Promise<{ readonly words: W }>>>): PageWords<W> {
  const arrived = new Map<Language, W>()
  const underway = new Map<Language, Promise<W>>()
  const wordsIn = (language: Language): Promise<W> => {
    const before = underway.get(language)
    if (before !== undefined) return before
    const asked = lazyFile(sources[language]).then(({ words }) => {
      arrived.set(language, words)
      return words
    })
    underway.set(language, asked)
    asked.catch(() => underway.delete(language))
    return asked
  }
  const useWordsOfPage = (): W => {
    const { language } = useLanguage()
    return arrived.get(language) ?? use(wordsIn(language))
  }
  return Object.assign(useWordsOfPage, { load: async () => void (await wordsIn(spokenLanguage())) })
}
