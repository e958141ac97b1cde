import { primaryLanguage } from '../../../platform/contract/language.ts'
import { parseList, parseObject } from '../../../platform/database/json-text.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { partitionOf, titleKey } from '../../../search/analysis/analysis.ts'
import type { DocumentValues, IndexDefinition, IndexDocument } from '../../../search/engine.ts'
import { propertiesOf } from '../../../search/indexing/property-values.ts'
import { sortTextOf } from '../../../search/indexing/sort-text.ts'
import type { SearchableKind } from '../../../search/indexing/index-source.ts'
import { joinedMemberships } from '../membership/membership-store.ts'
import { ENTRY_EMBEDDING, type EntryVectors } from './entry-embedding.ts'

/** Fields of the entry index. */
export const ENTRY_INDEX: IndexDefinition = {
  name: 'entries',
  textFields: { title: 2, keywords: 2, tags: 1, content: 1 },
  keyFields: [
    'category',
    'type',
    'visibility',
    'owner',
    'workspace',
    'project',
    'site',
    'layer',
    'tag',
    'language',
    'group',
    'title',
    'source',
  ],
  audienceFields: ['visibility', 'owner', 'workspace', 'site'],
  ownerField: 'owner',
  numberFields: ['expires_at', 'created_at', 'updated_at'],
  facetFields: ['category', 'type', 'visibility', 'layer', 'language', 'source'],
  hasProperties: true,
}

/**
 * Properties by which facets count fields with several values: a value takes four bytes as a property, and a hundred in
 * the column of a facet field. No metadata can have these names.
 */
export const COUNTED = { tag: 'counted.tag', project: 'counted.project', site: 'counted.site' } as const

type ChangedRow = EntryRow & {
  /** Ids separated by commas; null when there are none. */
  readonly projects: string | null
  readonly sites: string | null
}

/** Columns that keys, group and properties are made of. */
const VALUE_COLUMNS = [
  'category_id',
  'type',
  'visibility',
  'created_by_user_id',
  'workspace_id',
  'layer',
  'tags',
  'language',
  'translation_group_id',
  'title',
  'source',
  'metadata',
] as const satisfies (keyof EntryRow)[]

const NUMBER_COLUMNS = ['expires_at', 'created_at', 'updated_at'] as const satisfies (keyof EntryRow)[]

/** Columns that words and vectors are made of, beside the metadata of a glossary entry. */
const TEXT_COLUMNS = [
  ...ENTRY_EMBEDDING.textColumns,
  'language',
  'search_keywords',
  'tags',
] as const satisfies (keyof EntryRow)[]

type ValueRow = Pick<
  ChangedRow,
  (typeof VALUE_COLUMNS)[number] | (typeof NUMBER_COLUMNS)[number] | 'projects' | 'sites'
>

/** Tells whether two states of an entry have the same words and vectors. */
export function sameSearchedText(one: EntryRow, other: EntryRow): boolean {
  const isGlossary = one.type === 'glossary'
  return (
    TEXT_COLUMNS.every((column) => one[column] === other[column]) && !(isGlossary && one.metadata !== other.metadata)
  )
}

/** Reading of changed entries into the entry index. */
export const SEARCHABLE_ENTRIES: SearchableKind<ChangedRow, EntryVectors, ValueRow> = {
  definition: ENTRY_INDEX,
  embedding: ENTRY_EMBEDDING,
  longColumns: ['content', 'search_keywords', 'metadata'],
  valueColumns: VALUE_COLUMNS,
  numberColumns: NUMBER_COLUMNS,
  beside: joinedMemberships,
  besideNames: ['projects', 'sites'],
  numbersOf: ({ expires_at, created_at, updated_at }) => ({ expires_at, created_at, updated_at }),
  valuesOf,
  textOf,
}

function valuesOf(row: ValueRow): Pick<DocumentValues, 'group' | 'keys' | 'properties'> {
  const tags = parseList(row.tags)
  const projects = row.projects === null ? [] : row.projects.split(',')
  const sites = row.sites === null ? [] : row.sites.split(',')
  return {
    group: row.translation_group_id,
    keys: {
      category: [row.category_id],
      type: [row.type],
      visibility: [row.visibility],
      owner: row.created_by_user_id === null ? [] : [row.created_by_user_id],
      workspace: row.workspace_id === null ? [] : [row.workspace_id],
      project: projects,
      site: sites,
      layer: row.layer === null ? [] : [row.layer],
      tag: tags,
      language: [primaryLanguage(row.language)],
      group: [row.translation_group_id],
      title: [titleKey(row.title, partitionOf(row.language))],
      source: [row.source],
    },
    properties: {
      ...propertiesOf('metadata', parseObject(row.metadata)),
      ...(tags.length === 0 ? {} : { [COUNTED.tag]: tags }),
      ...(projects.length === 0 ? {} : { [COUNTED.project]: projects }),
      ...(sites.length === 0 ? {} : { [COUNTED.site]: sites }),
    },
  }
}

function textOf(row: EntryRow): Pick<IndexDocument, 'language' | 'text' | 'sortText'> {
  return {
    language: row.language,
    text: {
      title: [row.title],
      keywords: [...parseList(row.search_keywords), ...glossaryTerms(row)],
      tags: parseList(row.tags),
      content: [row.content],
    },
    sortText: sortTextOf(row.title),
  }
}

/** Returns the term and synonyms of a glossary entry, which count as search keywords; none for other types. */
function glossaryTerms(row: EntryRow): string[] {
  if (row.type !== 'glossary') return []
  const { term, synonyms = [] } = JSON.parse(row.metadata) as { term: string; synonyms?: string[] }
  return [term, ...synonyms]
}
