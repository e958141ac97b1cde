import type { Visibility } from '../../api/entry-fields.ts'
import { type EntryType, isEntryType } from '../../api/entry-type.ts'
import { isUuid } from '../../router/uuid.ts'

/** What the address of the list says. */
export interface EntryFilters {
  readonly type?: EntryType
  readonly visibility?: Visibility
  readonly language?: string
  readonly category?: string
  readonly tag?: string
}

export const VISIBILITIES = [
  'public',
  'community',
  'internal',
  'workspace',
  'restricted',
  'personal',
] as const satisfies readonly Visibility[]

const TAG_MAX = 100
const LANGUAGE = /^[a-z]{2,3}$/

/** Reads an address; what makes no sense in it is left out, so that a broken link still lists. */
export function readFilters(search: Record<string, unknown>): EntryFilters {
  const textOf = (name: string): string =>
    ['string', 'number'].includes(typeof search[name]) ? String(search[name]) : ''
  const [type, language, category, tag] = ['type', 'language', 'category', 'tag'].map(textOf) as [
    string,
    string,
    string,
    string,
  ]
  const visibility = VISIBILITIES.find((each) => each === search.visibility)
  // Undefined, and not left out: the router adds what an address has beyond that.
  return {
    type: isEntryType(type) ? type : undefined,
    visibility,
    language: LANGUAGE.test(language) ? language : undefined,
    category: isUuid(category) ? category : undefined,
    tag: tag === '' ? undefined : tag.slice(0, TAG_MAX),
  }
}
