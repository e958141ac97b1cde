import { VISIBILITIES } from '../../../platform/access/visibility.ts'
import { languageKey } from '../../../platform/contract/language.ts'
import type { KeyField, SearchFields } from '../../../search/request/fields.ts'
import { COUNTED } from '../indexing/index-source.ts'
import type { ENTRY_FIELDS } from '../contract.ts'
import { ENTRY_SOURCES, ENTRY_TYPES } from '../kinds.ts'

const key = (name: string, options: Partial<KeyField> = {}): KeyField => ({ kind: 'key', key: name, ...options })
const counted = { isCounted: true }
const always = { isAlways: true }

/** What a search of entries can filter by, count and sort by. */
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

/** The fields of an entry that visitors of a page get: what its page would show. */
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

/** An entry may be on other sites than those of the key, which do not exist to it. */
const PRIVATE: ReadonlySet<string> = new Set(['visibility', 'project_id', 'site_id', 'source'])

/** What visitors of a page can filter by, count and sort by; no metadata, which hits do not show them either. */
export const PUBLIC_ENTRY_SEARCH_FIELDS: SearchFields = {
  own: Object.fromEntries(Object.entries(ENTRY_SEARCH_FIELDS.own).filter(([name]) => !PRIVATE.has(name))),
  prefix: null,
}
