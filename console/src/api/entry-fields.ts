import type { EntryType } from './entry-type.ts'
import type { AnswerOf } from './client.ts'

type StoredEntry = AnswerOf<'/api/knowledge/knowledge-entries/{entry_id}', 'get'>
export type Visibility = StoredEntry['visibility']

/** Fields of an entry that people write. */
export interface EntryFields {
  readonly type: EntryType
  readonly title: string
  readonly content: string
  /** Id of the category; null until one is chosen. */
  readonly category_id: string | null
  readonly visibility: Visibility
  readonly summary: string
  readonly layer: string
  /** Tag of the language; empty to let the service detect it. */
  readonly language: string
  readonly tags: readonly string[]
  readonly search_keywords: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly workspace_id: string | null
  readonly url: string
}

export const NO_FIELDS: EntryFields = {
  type: 'knowledge',
  title: '',
  content: '',
  category_id: null,
  visibility: 'internal',
  summary: '',
  layer: '',
  language: '',
  tags: [],
  search_keywords: [],
  metadata: {},
  workspace_id: null,
  url: '',
}

export function fieldsOf(entry: StoredEntry): EntryFields {
  return {
    type: entry.type,
    title: entry.title,
    content: entry.content,
    category_id: entry.category_id,
    visibility: entry.visibility,
    summary: entry.summary ?? '',
    layer: entry.layer ?? '',
    language: entry.language,
    tags: entry.tags,
    search_keywords: entry.search_keywords,
    metadata: entry.metadata,
    workspace_id: entry.workspace_id,
    url: entry.url ?? '',
  }
}

/** Returns the names of the fields in which two states of an entry differ. */
export function differingNames(one: EntryFields, other: EntryFields): readonly (keyof EntryFields)[] {
  return (Object.keys(one) as (keyof EntryFields)[]).filter(
    (name) => one[name] !== other[name] && JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  )
}

/** Returns the named fields as the API takes them, with null for an empty summary, layer or address. */
export function bodyOf(fields: EntryFields, names: readonly (keyof EntryFields)[]): Record<string, unknown> {
  const values: Record<string, unknown> = {
    ...fields,
    summary: fields.summary.trim() === '' ? null : fields.summary,
    layer: fields.layer.trim() === '' ? null : fields.layer,
    url: fields.url.trim() === '' ? null : fields.url.trim(),
  }
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
