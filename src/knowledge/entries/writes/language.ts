import { tidyLanguage } from '../../../platform/contract/language.ts'
import { surelyIn } from '../../../search/analysis/text-language.ts'
import type { EntryCreate } from '../contract.ts'

/** The beginning of a text tells its language as well as all of it, and a text may have a million characters. */
const CHARACTERS = 1_000

/** The language that the beginning of a new entry is surely in; null when it does not tell. */
export function detectedLanguage({ title, content }: Pick<EntryCreate, 'title' | 'content'>): string | null {
  return surelyIn(`${title}\n${content.slice(0, CHARACTERS)}`)
}

/** The language of a new entry that states none. @param fallback language of the tenant, for texts that do not tell */
export function languageOfNew(entry: Pick<EntryCreate, 'title' | 'content'>, fallback: string): string {
  return detectedLanguage(entry) ?? tidyLanguage(fallback)
}
