import type { Expression } from 'kysely'
import type { Database } from '../database/database.ts'
import type { EntryRow } from '../database/tables.ts'
import type { IndexChange, IndexDefinition, IndexDocument, IndexSource, IndexVersion } from '../search/engine.ts'
import { decodePassages } from './vector-codec.ts'

/** Entries as search sees them. */
export const ENTRY_INDEX: IndexDefinition = {
  name: 'entries',
  textFields: { title: 2, keywords: 2, tags: 1, content: 1 },
  keyFields: ['category', 'type', 'visibility', 'owner', 'workspace', 'project', 'layer', 'tag', 'language', 'group'],
  numberFields: ['expires_at'],
}

/** Rows per batch: reading them blocks the thread that searches, a few milliseconds at this size. */
const BATCH = 100

type ChangedRow = EntryRow & {
  projects: string | null
  offsets: Buffer | null
  vectors: Buffer | null
}

/** Reads a tenant's changed entries and tombstones, oldest change first. */
export function entryIndexSource(database: Database): IndexSource {
  return {
    definition: ENTRY_INDEX,
    // Reads on until nothing is left rather than to `upTo`: an entry changed once below and once above it
    // is listed under the later number only, and the search must not miss the earlier change.
    async *changes(version, after, _upTo) {
      for (let from = after; ;) {
        const batch = await readBatch(database, version, from)
        if (batch.length === 0) return
        yield batch
        from = batch[batch.length - 1].seq
      }
    },
  }
}

/**
 * The changes numbered above `from`, as many as complete numbers fit a batch: a bulk write shares one
 * number, and half of it must not look like all of it.
 */
async function readBatch(database: Database, version: IndexVersion, from: number): Promise<IndexChange[]> {
  const last = await lastOfBatch(database, version.tenantId, from)
  if (last === null) return []
  const [rows, removed] = await Promise.all([
    changedRows(database, version, from, last),
    database.queries
      .selectFrom('entry_tombstones')
      .select(['entry_id', 'seq'])
      .where('tenant_id', '=', version.tenantId)
      .where('seq', '>', from)
      .where('seq', '<=', last)
      .execute(),
  ])
  const changes: IndexChange[] = [
    ...rows.map((row) => ({ seq: row.seq, put: documentOf(row) })),
    ...removed.map((row) => ({ seq: row.seq, remove: row.entry_id })),
  ]
  return changes.sort((a, b) => a.seq - b.seq)
}

async function lastOfBatch({ queries }: Database, tenantId: string, from: number): Promise<number | null> {
  const seqs = (table: 'entries' | 'entry_tombstones') =>
    queries
      .selectFrom(table)
      .select('seq')
      .where('tenant_id', '=', tenantId)
      .where('seq', '>', from)
      .orderBy('seq')
      .limit(BATCH)
      .execute()
  const [changed, removed] = await Promise.all([seqs('entries'), seqs('entry_tombstones')])
  const all = [...changed, ...removed].map((row) => row.seq).sort((a, b) => a - b)
  return all.length === 0 ? null : all[Math.min(all.length, BATCH) - 1]
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
    .select((eb) =>
      eb
        .selectFrom('project_entries as p')
        .whereRef('p.tenant_id', '=', 'e.tenant_id')
        .whereRef('p.entry_id', '=', 'e.id')
        .select((p) => portable.joinText(p.ref('p.project_id') as Expression<string>).as('ids'))
        .as('projects'),
    )
    .where('e.tenant_id', '=', tenantId)
    .where('e.seq', '>', from)
    .where('e.seq', '<=', last)
    .orderBy('e.seq')
    .execute()
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
