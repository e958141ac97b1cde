import type { Generated } from 'kysely'

/**
 * The tables as queries see them. Times are milliseconds since 1970, flags 0 or 1, and JSON is text,
 * so that both databases return the same values. Every key begins with `tenant_id`.
 *
 * `model_chosen_at` is when the process started that chose a tenant's model: of processes with different
 * settings the youngest has its way.
 */
export interface Tables {
  tenants: TenantRow & { model_chosen_at: Generated<number> }
  users: UserRow
  api_keys: ApiKeyRow
  audit_log: AuditRow
  categories: CategoryRow
  workspaces: NamedRow
  workspace_members: { tenant_id: string; workspace_id: string; user_id: string }
  projects: NamedRow
  project_entries: { tenant_id: string; project_id: string; entry_id: string }
  entries: EntryRow
  entry_versions: EntryVersionRow
  entry_tombstones: { tenant_id: string; entry_id: string; seq: number }
  entry_vectors: EntryVectorsRow
  embedding_jobs: EmbeddingJobRow
}

export interface TenantRow {
  tenant_id: string
  name: string
  /** Host name that belongs to this tenant alone; null when it is reached at the shared address. */
  host: string | null
  settings: string
  embedding_model: string | null
  /** Number of the newest change to anything searchable. */
  watermark: number
  created_at: number
}

export interface UserRow {
  tenant_id: string
  id: string
  email: string
  name: string
  role: string
  disabled_at: number | null
  created_at: number
}

export interface ApiKeyRow {
  tenant_id: string
  id: string
  user_id: string | null
  name: string
  /** SHA-256 of the key, hexadecimal; the key itself is never stored. */
  hash: string
  /** First characters of the key, to recognise it by. */
  hint: string
  scopes: string
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
}

export interface AuditRow {
  tenant_id: string
  id: string
  at: number
  action: string
  resource_type: string
  resource_id: string
  user_id: string | null
  credential_id: string | null
  source: string
  client_id: string | null
}

export interface NamedRow {
  tenant_id: string
  id: string
  name: string
  description: string | null
  created_at: number
  updated_at: number
}

export interface CategoryRow extends NamedRow {
  parent_id: string | null
  sort_order: number
}

export interface EntryRow {
  tenant_id: string
  id: string
  type: string
  title: string
  content: string
  summary: string | null
  category_id: string
  visibility: string
  layer: string | null
  language: string
  tags: string
  search_keywords: string
  metadata: string
  related_themes: string | null
  translation_group_id: string
  workspace_id: string | null
  source: string
  source_reference: string | null
  created_by_user_id: string | null
  version: number
  /** Embedder id of its current vectors; null until it has some. */
  embedding_model: string | null
  /** When a memory entry leaves lists and search. */
  expires_at: number | null
  created_at: number
  updated_at: number
  /** Watermark of its newest change that search must see. */
  seq: number
}

export interface EntryVersionRow {
  tenant_id: string
  entry_id: string
  version: number
  visibility: string
  workspace_id: string | null
  /** The entry as it was, as the API answers it. */
  snapshot: string
  updated_at: number
}

export interface EntryVectorsRow {
  tenant_id: string
  entry_id: string
  model: string
  /** Start and end of each passage, little-endian int32 pairs. */
  offsets: Buffer
  /** Passage vectors one after the other, little-endian float32. */
  vectors: Buffer
  /** Vector of the related-themes text; null when the entry has none. */
  related: Buffer | null
}

export interface EmbeddingJobRow {
  tenant_id: string
  /** What `item_id` names, such as `entry`. */
  kind: string
  item_id: string
  model: string
  attempts: number
  run_after: number
  claimed_until: number
  /** 1 when the provider refused the text itself. */
  refused: number
  last_error: string | null
}
