import type { Language } from './languages.ts'

/**
 * A text in each language: a sentence, a list of lines with as many in one language as in the other, or a function that
 * puts values in.
 */
export interface EachLanguage<Word = string> {
  readonly en: Word
  readonly de: NoInfer<Word>
}

/** Texts and groups of texts by name, each text in all languages side by side. */
export type Table<Words> = {
  readonly [Name in keyof Words]:
    | EachLanguage<Words[Name]>
    | (Words[Name] extends Text ? never : Table<Words[Name]> & object)
}

type Text = string | readonly string[] | ((...values: never[]) => unknown)

/** Returns a part of a larger table as it is. A text that lacks a language does not compile. */
export const table = <Words>(texts: Table<Words>): Table<Words> => texts

/** Returns the words of a table for each language. A text that lacks a language does not compile. */
export const wordsOf = <Words>(texts: Table<Words>): EachLanguage<Words> => ({
  en: wordsIn('en', texts) as Words,
  de: wordsIn('de', texts) as Words,
})

function wordsIn(language: Language, texts: object): unknown {
  return Object.fromEntries(
    Object.entries(texts).map(([name, each]: [string, object]) => [
      name,
      isText(each) ? each[language] : wordsIn(language, each),
    ]),
  )
}

const isText = (each: object): each is EachLanguage<unknown> => 'en' in each
