// Rows of entries and of what they are sorted into. Conventions are those of `tables.ts`.

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

/** One tag of one entry, in the order of the entries that have it: a list by tag walks along these. */
export interface EntryTagRow {
  tenant_id: string
  tag: string
  /** The entry's own. */
  created_at: number
  entry_id: string
}

export interface EntryVersionRow {
  tenant_id: string
  entry_id: string
  version: number
  visibility: string
  workspace_id: string | null
  /** Also in the snapshot; here it is found without reading that. */
  title: string
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
