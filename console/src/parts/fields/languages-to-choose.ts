const COMMON = ['de', 'en', 'fr', 'it', 'es', 'nl', 'pl', 'pt', 'cs', 'da', 'sv', 'tr', 'uk', 'ru', 'ar', 'zh', 'ja']

/**
 * Returns the languages to choose a text's language from: the person's own first, and that of the text, whichever it
 * is.
 */
export function languagesToChoose(ofText: string, spoken: string): readonly string[] {
  return [...new Set([spoken, ...COMMON, ...(ofText === '' ? [] : [ofText])])]
}
