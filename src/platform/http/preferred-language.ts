import type { Caller } from '../access/caller.ts'

/** A range of Accept-Language (RFC 9110, sections 12.5.4 and 12.4.2): its language, and its weight if it has one. */
const LANGUAGE_RANGE = /^\s*([a-z]{2,3})(?:-[a-z\d-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

/**
 * Returns the language with the greatest weight in Accept-Language, the first of several; the tenant's language where
 * the header names none.
 */
export function preferredLanguage(header: string | undefined, caller: Caller): string {
  let preferred = caller.tenant.settings.language
  let weightMax = 0
  for (const range of header?.split(',') ?? []) {
    const [, language, weight = '1'] = LANGUAGE_RANGE.exec(range) ?? []
    if (language === undefined || Number(weight) <= weightMax) continue
    preferred = language.toLowerCase()
    weightMax = Number(weight)
  }
  return preferred
}
