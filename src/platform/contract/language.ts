import type { SchemaValidateFunction } from 'ajv'
import type { Said } from './check-messages.ts'

/** Longer than any tag that means something; longer ones are not parsed. */
const CHARACTERS_MAX = 100

export const MALFORMED_LANGUAGE: Said = {
  type: 'language_parsing',
  msg: 'Input should be a valid language tag such as de, en or pt-BR',
}

/** The canonical form of a language tag (RFC 5646, as ECMA-402 reads it): `EN` is en, `deu` is de; null for others. */
export function canonicalLanguage(tag: string): string | null {
  if (tag.length > CHARACTERS_MAX) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/** A language that no contract has checked, such as a setting of an earlier version, in canonical form if it has one. */
export function tidyLanguage(language: string): string {
  return canonicalLanguage(language) ?? language
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** The canonical form of a language that has a name (Unicode CLDR); null for others: `xxx` is well-formed, and none. */
export function namedLanguage(language: string): string | null {
  const tag = canonicalLanguage(language)
  return tag === null || NAMES.of(tag) === undefined ? null : tag
}

/** What filters compare: `de` of `de-AT`. @param tag a canonical tag */
export function primaryLanguage(tag: string): string {
  const end = tag.indexOf('-')
  return end < 0 ? tag : tag.slice(0, end)
}

/**
 * What filters compare of a language that no contract has made canonical: settings of a tenant, and filters as free
 * text, may have it in any case.
 */
export function languageKey(language: string): string {
  return primaryLanguage(tidyLanguage(language))
}

/** Letters of the longest language that is registered (RFC 5646, 2.2.1). A word such as "english" has more. */
const REGISTERED_LETTERS_MAX = 3

/** The canonical form of a language to filter by; null where no text can be in it. */
export function filterLanguage(language: string): string | null {
  const tag = canonicalLanguage(language)
  return tag === null || primaryLanguage(tag).length > REGISTERED_LETTERS_MAX ? null : tag
}

const READERS: Readonly<Record<string, (language: string) => string | null>> = {
  filter: filterLanguage,
  named: namedLanguage,
}

/**
 * The Ajv keyword behind `LanguageTag`, `NamedLanguage` and `LanguageFilter`: checks the tag and replaces it by its
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
