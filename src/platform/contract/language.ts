import type { SchemaValidateFunction } from 'ajv'
import type { FaultMessage } from './check-messages.ts'

/** Most characters of a tag that is parsed. No tag with a meaning is longer. */
const CHARACTERS_MAX = 100

export const MALFORMED_LANGUAGE: FaultMessage = {
  type: 'language_parsing',
  msg: 'Input should be a valid language tag such as de, en or pt-BR',
}

/**
 * Returns the canonical form of a language tag (RFC 5646, as ECMA-402 reads it): `en` for `EN`, `de` for `deu`; null
 * for any other text.
 */
export function canonicalLanguage(tag: string): string | null {
  if (tag.length > CHARACTERS_MAX) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/**
 * Returns the canonical form of a language that no contract has checked, such as a setting of an earlier version; the
 * language itself if it has no canonical form.
 */
export function tidyLanguage(language: string): string {
  return canonicalLanguage(language) ?? language
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * Returns the canonical form of a language that has a name (Unicode CLDR); null for any other text, such as `xxx`,
 * which is well-formed and names no language.
 */
export function namedLanguage(language: string): string | null {
  const tag = canonicalLanguage(language)
  return tag === null || NAMES.of(tag) === undefined ? null : tag
}

/** Returns the part of a tag that filters compare: `de` of `de-AT`. @param tag a canonical tag */
export function primaryLanguage(tag: string): string {
  const end = tag.indexOf('-')
  return end < 0 ? tag : tag.slice(0, end)
}

/**
 * Returns the part that filters compare of a language that no contract has made canonical. Settings of a tenant, and
 * filters as free text, may have the language in upper or lower case.
 */
export function languageKey(language: string): string {
  return primaryLanguage(tidyLanguage(language))
}

/** Letters of the longest language that is registered (RFC 5646, 2.2.1). A word such as "english" has more. */
const REGISTERED_LETTERS_MAX = 3

/** Returns the canonical form of a language to filter by; null for a word that is no language of any text. */
export function filterLanguage(language: string): string | null {
  const tag = canonicalLanguage(language)
  return tag === null || primaryLanguage(tag).length > REGISTERED_LETTERS_MAX ? null : tag
}

const READERS: Readonly<Record<string, (language: string) => string | null>> = {
  filter: filterLanguage,
  named: namedLanguage,
}

/**
 * Ajv keyword behind `LanguageTag`, `NamedLanguage` and `LanguageFilter`: checks the tag and replaces it by its
 * canonical form.
 * @param kind `filter` of a language to filter by, `named` of one that must have a name
 */
export const languageKeyword: SchemaValidateFunction = (kind: unknown, value: unknown, schema, place) => {
  if (typeof value !== 'string') return true
  const tag = (READERS[String(kind)] ?? canonicalLanguage)(value)
  const { maxLength = CHARACTERS_MAX } = schema as { maxLength?: number }
  // A short tag may be an old name of a longer one: `sh` is sr-Latn.
  if (tag === null || tag.length > maxLength) {
    languageKeyword.errors = [{ keyword: 'x-language', params: { ...MALFORMED_LANGUAGE } }]
    return false
  }
  const holder = place!.parentData as Record<string, unknown>
  holder[String(place!.parentDataProperty)] = tag
  return true
}
