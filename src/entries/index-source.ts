import type { Expression } from 'kysely'
import type { Database } from '../database/database.ts'
import type { EntryRow } from '../database/tables.ts'
import { decodePassages } from '../embedding/vector-codec.ts'
import { type ChangeReader, changeBatches } from '../search/change-batches.ts'
import type { IndexChange, IndexDefinition, IndexDocument, IndexSource, IndexVersion } from '../search/engine.ts'

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

function readerOf(database: Database, version: IndexVersion): ChangeReader {
  const { queries } = database
  const { tenantId } = version
  const numbersIn = async (table: 'entries' | 'entry_tombstones', from: number, limit: number): Promise<number[]> => {
    const rows = await queries
      .selectFrom(table)
      .select('seq')
      .where('tenant_id', '=', tenantId)
      .where('seq', '>', from)
      .orderBy('seq')
      .limit(limit)
      .execute()
    return rows.map((row) => row.seq)
  }
  return {
    numbers: (from, limit) =>
      Promise.all([numbersIn('entries', from, limit), numbersIn('entry_tombstones', from, limit)]),
    async read(from, last) {
      const [rows, removed] = await Promise.all([
        changedRows(database, version, from, last),
        queries
          .selectFrom('entry_tombstones')
          .select(['entry_id', 'seq'])
          .where('tenant_id', '=', tenantId)
          .where('seq', '>', from)
          .where('seq', '<=', last)
          .execute(),
      ])
      return [...rows.map(changeOf), ...removed.map((row) => ({ seq: row.seq, remove: row.entry_id }))]
    },
  }
}

function changedRows(
  { queries, portable }: Database,
  { tenantId, model }: IndexVersion,
  from: number,
  last: number,
): Promise<ChangedRow[]> {
  return queries
    .selectFrom('entries as e')
    .leftJoin('entry_vectors as v', (join) =>
      join
        .onRef('v.tenant_id', '=', 'e.tenant_id')
        .onRef('v.entry_id', '=', 'e.id')
        .on('v.model', '=', model ?? ''),
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
    .where('e.tenant_id', '=', tenantId)
    .where('e.seq', '>', from)
    .where('e.seq', '<=', last)
    .orderBy('e.seq')
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
