import type { EntryGuard, Visibility } from '../../platform/access/visibility.ts'
import { parseList, parseObject } from '../../platform/database/json-text.ts'
import type { EntryRow } from '../../platform/database/tables.ts'
import { Entry } from './contract.ts'
import type { EntrySource, EntryType } from './kinds.ts'

export function entryOf(row: EntryRow): Entry {
  const entry: Entry = {
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
    metadata: parseObject(row.metadata),
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
  return row.url === null ? entry : { ...entry, url: row.url }
}

/** Columns that a row must have to become an entry, without values. */
const NO_VALUES: Partial<EntryRow> = {
  tags: '[]',
  search_keywords: '[]',
  metadata: '{}',
  url: null,
  created_at: 0,
  updated_at: 0,
}

/** Returns fields of an entry. @param row has the columns of the same names */
export function partOf(row: Partial<EntryRow>, fields: readonly (keyof Entry)[]): Partial<Entry> {
  const whole = entryOf({ ...NO_VALUES, ...row } as EntryRow)
  return Object.fromEntries(fields.map((field) => [field, whole[field]]))
}

/** Values of fields that an old snapshot lacks. Fields that are not listed here get the current entry's value. */
const SNAPSHOT_DEFAULTS: Partial<Entry> = {
  summary: null,
  layer: null,
  tags: [],
  search_keywords: [],
  metadata: {},
  workspace_id: null,
  source_reference: null,
  url: undefined,
  created_by_user_id: null,
  embedding_model: null,
}

/**
 * Returns an earlier version of an entry. Its snapshot may lack fields that later releases added, and have fields that
 * they removed.
 * @param current entry as it is now
 */
export function entryOfSnapshot(snapshot: string, current: Entry): Entry {
  const then = JSON.parse(snapshot) as Partial<Entry>
  const whole: Partial<Entry> = { ...current, ...SNAPSHOT_DEFAULTS, ...then }
  const fields = Object.keys(Entry.properties) as (keyof Entry)[]
  const present = fields.filter((field) => whole[field] !== undefined)
  return Object.fromEntries(present.map((field) => [field, whole[field]])) as unknown as Entry
}

/** Returns the columns of an entry that decide who may see it. */
export function guardOf(row: Pick<EntryRow, 'visibility' | 'created_by_user_id' | 'workspace_id'>): EntryGuard {
  return { visibility: row.visibility as Visibility, ownerId: row.created_by_user_id, workspaceId: row.workspace_id }
}
