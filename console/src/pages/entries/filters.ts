import type { Visibility } from '../../api/entry-fields.ts'
import { type EntryType, isEntryType } from '../../api/entry-type.ts'
import { isUuid } from '../../router/uuid.ts'

/** Filters in the address of the list. */
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

/** Reads the filters of an address. Leaves out values that make no sense, so that a broken link still lists entries. */
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
  // Set to undefined instead of left out: the router would add the unchecked parameters of the address otherwise.
  return {
    type: isEntryType(type) ? type : undefined,
    visibility,
    language: LANGUAGE.test(language) ? language : undefined,
    category: isUuid(category) ? category : undefined,
    tag: tag === '' ? undefined : tag.slice(0, TAG_MAX),
  }
}
