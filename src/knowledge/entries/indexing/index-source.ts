import { primaryLanguage } from '../../../platform/contract/language.ts'
import { parseList, parseObject } from '../../../platform/database/json-text.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { partitionOf, titleKey } from '../../../search/analysis/analysis.ts'
import type { IndexDefinition, IndexDocument } from '../../../search/engine.ts'
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

/** Reading of changed entries into the entry index. */
export const SEARCHABLE_ENTRIES: SearchableKind<ChangedRow, EntryVectors> = {
  definition: ENTRY_INDEX,
  embedding: ENTRY_EMBEDDING,
  longColumns: ['content', 'search_keywords', 'metadata'],
  beside: joinedMemberships,
  documentOf,
}

function documentOf(row: ChangedRow): Omit<IndexDocument, 'passages'> {
  const tags = parseList(row.tags)
  const projects = row.projects === null ? [] : row.projects.split(',')
  const sites = row.sites === null ? [] : row.sites.split(',')
  return {
    id: row.id,
    language: row.language,
    changedAt: row.updated_at,
    group: row.translation_group_id,
    text: {
      title: [row.title],
      keywords: [...parseList(row.search_keywords), ...glossaryTerms(row)],
      tags,
      content: [row.content],
    },
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
    numbers: { expires_at: row.expires_at, created_at: row.created_at, updated_at: row.updated_at },
    properties: {
      ...propertiesOf('metadata', parseObject(row.metadata)),
      ...(tags.length === 0 ? {} : { [COUNTED.tag]: tags }),
      ...(projects.length === 0 ? {} : { [COUNTED.project]: projects }),
      ...(sites.length === 0 ? {} : { [COUNTED.site]: sites }),
    },
    sortText: sortTextOf(row.title),
  }
}

/** Returns the term and synonyms of a glossary entry, which count as search keywords; none for other types. */
function glossaryTerms(row: ChangedRow): string[] {
  if (row.type !== 'glossary') return []
  const { term, synonyms = [] } = JSON.parse(row.metadata) as { term: string; synonyms?: string[] }
  return [term, ...synonyms]
}
