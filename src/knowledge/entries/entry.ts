import type { Guarded, Visibility } from '../../platform/access/visibility.ts'
import type { EntryRow } from '../../platform/database/tables.ts'

export const ENTRY_TYPES = ['knowledge', 'skill', 'process', 'glossary', 'memory', 'bootstrap', 'skill_index'] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

export const ENTRY_SOURCES = ['manual', 'import', 'conversational', 'learning_loop', 'system'] as const
type EntrySource = (typeof ENTRY_SOURCES)[number]

/** A knowledge entry as the API answers it. */
export interface Entry {
  id: string
  tenant_id: string
  type: EntryType
  title: string
  content: string
  summary: string | null
  category_id: string
  visibility: Visibility
  layer: string | null
  language: string
  tags: string[]
  search_keywords: string[]
  metadata: Record<string, unknown>
  translation_group_id: string
  workspace_id: string | null
  source: EntrySource
  source_reference: string | null
  created_by_user_id: string | null
  version: number
  embedding_model: string | null
  created_at: string
  updated_at: string
}

export function entryOf(row: EntryRow): Entry {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    type: row.type as EntryType,
    title: row.title,
    content: row.content,
    summary: row.summary,
    category_id: row.category_id,
    visibility: row.visibility as Visibility,
    layer: row.layer,
    language: row.language,
    tags: parseList(row.tags),
    search_keywords: parseList(row.search_keywords),
    metadata: row.metadata === '{}' ? {} : (JSON.parse(row.metadata) as Record<string, unknown>),
    translation_group_id: row.translation_group_id,
    workspace_id: row.workspace_id,
    source: row.source as EntrySource,
    source_reference: row.source_reference,
    created_by_user_id: row.created_by_user_id,
    version: row.version,
    embedding_model: row.embedding_model,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }
}

function parseList(json: string): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[])
}

export function guardOf(row: Pick<EntryRow, 'visibility' | 'created_by_user_id' | 'workspace_id'>): Guarded {
  return { visibility: row.visibility as Visibility, ownerId: row.created_by_user_id, workspaceId: row.workspace_id }
}
