import { VISIBILITIES } from '../../../platform/access/visibility.ts'
import { languageKey } from '../../../platform/contract/language.ts'
import type { KeyField, SearchFields } from '../../../search/request/fields.ts'
import { COUNTED } from '../indexing/index-source.ts'
import type { ENTRY_FIELDS } from '../contract.ts'
import { ENTRY_SOURCES, ENTRY_TYPES } from '../kinds.ts'

const key = (name: string, options: Partial<KeyField> = {}): KeyField => ({ kind: 'key', key: name, ...options })
const counted = { isCounted: true }
const always = { isAlways: true }

/** Fields by which a search of entries filters, counts and sorts. */
export const ENTRY_SEARCH_FIELDS: SearchFields = {
  own: {
    type: key('type', { values: ENTRY_TYPES, ...always, ...counted }),
    category_id: key('category', { isId: true, tree: 'categories', ...always, ...counted }),
    visibility: key('visibility', { values: VISIBILITIES, ...always, ...counted }),
    layer: key('layer', counted),
    language: key('language', { isLanguage: true, normal: languageKey, ...always, ...counted }),
    tags: key('tag', { ...counted, property: COUNTED.tag }),
    project_id: key('project', { isId: true, ...counted, property: COUNTED.project }),
    site_id: key('site', { isId: true, ...counted, property: COUNTED.site }),
    translation_group_id: key('group', { isId: true, ...always }),
    source: key('source', { values: ENTRY_SOURCES, ...always, ...counted }),
    title: { kind: 'title' },
    created_at: { kind: 'number', number: 'created_at', isMoment: true },
    updated_at: { kind: 'number', number: 'updated_at', isMoment: true },
  },
  prefix: 'metadata',
}

/** Fields of an entry that visitors of a page get: those that its own page would show. */
export const PUBLIC_ENTRY_FIELDS: readonly (typeof ENTRY_FIELDS)[number][] = [
  'id',
  'type',
  'title',
  'summary',
  'content',
  'category_id',
  'layer',
  'language',
  'tags',
  'translation_group_id',
  'url',
  'created_at',
  'updated_at',
]

/** Fields that visitors cannot search by. A publishable key must not learn of sites that it is not bound to. */
const PRIVATE: ReadonlySet<string> = new Set(['visibility', 'project_id', 'site_id', 'source'])

/** Fields by which visitors filter, count and sort; without metadata, which their hits do not show either. */
export const PUBLIC_ENTRY_SEARCH_FIELDS: SearchFields = {
  own: Object.fromEntries(Object.entries(ENTRY_SEARCH_FIELDS.own).filter(([name]) => !PRIVATE.has(name))),
  prefix: null,
}
