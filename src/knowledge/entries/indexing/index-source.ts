import type { Expression } from 'kysely'
import type { Database } from '../../../platform/database/database.ts'
import { listChanges } from '../../../platform/database/listed-changes.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { decodePassages } from '../../../embedding/vector-codec.ts'
import { type ChangeReader, changeBatches } from '../../../search/change-batches.ts'
import type { IndexChange, IndexDefinition, IndexDocument, IndexSource, IndexVersion } from '../../../search/engine.ts'

/** Entries as search sees them. */
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
  ],
  numberFields: ['expires_at'],
}

type ChangedRow = EntryRow & {
  projects: string | null
  sites: string | null
  offsets: Buffer | null
  vectors: Buffer | null
}

/** Reads a tenant's changed entries and tombstones, oldest change first. */
export function entryIndexSource(database: Database): IndexSource {
  return {
    definition: ENTRY_INDEX,
    changes: (version, after) => changeBatches(readerOf(database, version), after),
  }
}

const TABLES = {
  documents: 'entries',
  vectors: 'entry_vectors',
  tombstones: 'entry_tombstones',
  idColumn: 'entry_id',
  longColumns: ['content', 'search_keywords', 'metadata'],
}

function readerOf(database: Database, version: IndexVersion): ChangeReader {
  return {
    list: (after, limit) => listChanges(database, version, TABLES, { after, limit }),
    async read(ids, last) {
      return (await changedRows(database, version, ids, last)).map(changeOf)
    },
  }
}

function changedRows(
  { queries, portable }: Database,
  version: IndexVersion,
  ids: readonly string[],
  last: number,
): Promise<ChangedRow[]> {
  return queries
    .selectFrom('entries as e')
    .leftJoin('entry_vectors as v', (join) =>
      join
        .onRef('v.tenant_id', '=', 'e.tenant_id')
        .onRef('v.entry_id', '=', 'e.id')
        .on('v.model', '=', version.model ?? ''),
    )
    .selectAll('e')
    .select(['v.offsets', 'v.vectors'])
    .select((eb) => [
      eb
        .selectFrom('project_entries as p')
        .whereRef('p.tenant_id', '=', 'e.tenant_id')
        .whereRef('p.entry_id', '=', 'e.id')
        .select((p) => portable.joinText(p.ref('p.project_id') as Expression<string>).as('ids'))
        .as('projects'),
      eb
        .selectFrom('site_entries as s')
        .whereRef('s.tenant_id', '=', 'e.tenant_id')
        .whereRef('s.entry_id', '=', 'e.id')
        .select((s) => portable.joinText(s.ref('s.site_id') as Expression<string>).as('ids'))
        .as('sites'),
    ])
    .where('e.tenant_id', '=', version.tenantId)
    .where((eb) => portable.isOneOf(eb.ref('e.id'), ids))
    .where('e.seq', '<=', last)
    .execute()
}

function changeOf(row: ChangedRow): IndexChange {
  try {
    return { seq: row.seq, put: documentOf(row) }
  } catch {
    return { seq: row.seq, unreadable: row.id }
  }
}

function documentOf(row: ChangedRow): IndexDocument {
  const tags = JSON.parse(row.tags) as string[]
  return {
    id: row.id,
    language: row.language,
    changedAt: row.updated_at,
    group: row.translation_group_id,
    text: {
      title: [row.title],
      keywords: [...(JSON.parse(row.search_keywords) as string[]), ...glossaryTerms(row)],
      tags,
      content: [row.content],
    },
    keys: {
      category: [row.category_id],
      type: [row.type],
      visibility: [row.visibility],
      owner: row.created_by_user_id === null ? [] : [row.created_by_user_id],
      workspace: row.workspace_id === null ? [] : [row.workspace_id],
      project: row.projects === null ? [] : row.projects.split(','),
      site: row.sites === null ? [] : row.sites.split(','),
      layer: row.layer === null ? [] : [row.layer],
      tag: tags,
      language: [row.language],
      group: [row.translation_group_id],
    },
    numbers: { expires_at: row.expires_at },
    passages:
      row.offsets === null || row.vectors === null
        ? []
        : decodePassages({ offsets: row.offsets, vectors: row.vectors }),
  }
}

/** A glossary entry is found by its term and synonyms as by its keywords. */
function glossaryTerms(row: ChangedRow): string[] {
  if (row.type !== 'glossary') return []
  const { term, synonyms = [] } = JSON.parse(row.metadata) as { term: string; synonyms?: string[] }
  return [term, ...synonyms]
}
