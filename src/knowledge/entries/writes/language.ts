import { tidyLanguage } from '../../../platform/contract/language.ts'
import { surelyIn } from '../../../search/analysis/text-language.ts'
import type { EntryCreate } from '../contract.ts'

/** Characters by which a language is detected: as certain as by all of a text, which may have a million. */
const DETECTED_LENGTH = 1_000

/** Detects the language of a new entry by its beginning; null when that is uncertain. */
export function detectedLanguage({ title, content }: Pick<EntryCreate, 'title' | 'content'>): string | null {
  return surelyIn(`${title}\n${content.slice(0, DETECTED_LENGTH)}`)
}

/** Returns the language of a new entry that names none. @param fallback tenant's language, for uncertain texts */
export function languageOfNew(entry: Pick<EntryCreate, 'title' | 'content'>, fallback: string): string {
  return detectedLanguage(entry) ?? tidyLanguage(fallback)
}
