import { type EntryType, isEntryType } from '../../api/entry-type.ts'
import { isUuid } from '../../router/uuid.ts'

/** Query and filters in the address of a search. */
export interface EntrySearch {
  readonly q?: string
  readonly type?: EntryType
  readonly language?: string
  readonly category?: string
  readonly tag?: string
}

const QUERY_MAX = 2_000
const TAG_MAX = 100
const LANGUAGE = /^[a-z]{2,3}$/

/**
 * Reads the query and the filters of an address. Leaves out values that make no sense, so that a broken link still
 * searches.
 */
export function readSearch(search: Record<string, unknown>): EntrySearch {
  // The router reads `q=2026` as a number.
  const textOf = (name: string): string =>
    ['string', 'number'].includes(typeof search[name]) ? String(search[name]) : ''
  const [q, type, language, category, tag] = ['q', 'type', 'language', 'category', 'tag'].map(textOf) as [
    string,
    string,
    string,
    string,
    string,
  ]
  return {
    ...(q.trim() === '' ? {} : { q: q.slice(0, QUERY_MAX) }),
    ...(isEntryType(type) ? { type } : {}),
    ...(LANGUAGE.test(language) ? { language } : {}),
    ...(isUuid(category) ? { category } : {}),
    ...(tag === '' ? {} : { tag: tag.slice(0, TAG_MAX) }),
  }
}
