// Rows of entries and their categories, projects and workspaces. `tables.ts` has the conventions.

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
  /** Address of the page on which the entry is published. */
  url: string | null
  created_by_user_id: string | null
  version: number
  /** Embedder id of the current vectors; null until there are some. */
  embedding_model: string | null
  /** Time at which a memory entry leaves lists and search. */
  expires_at: number | null
  created_at: number
  updated_at: number
  /** Watermark of the newest change that search must see. */
  seq: number
  /** Watermark of the newest change of its words or vectors; 0 for one before migration `0002-text-changes`. */
  text_seq: number
  /** 1 when a skill or bootstrap is a prompt for everybody who sees it, 0 when for its author alone. */
  prompts_others: number
  /** User who wrote the text of a skill or bootstrap last; null for no user, and before migration `0004-…`. */
  prompt_author_id: string | null
}

/** Columns with texts of callers, of any length. They make up the bytes of a tenant. */
export const ENTRY_TEXTS = [
  'title',
  'content',
  'summary',
  'tags',
  'search_keywords',
  'metadata',
  'related_themes',
  'source_reference',
  'url',
] as const satisfies readonly (keyof EntryRow)[]

/** One tag of one entry. The rows have the order of the entries, so that a list by tag reads along them. */
export interface EntryTagRow {
  tenant_id: string
  tag: string
  /** Creation time of the entry. */
  created_at: number
  entry_id: string
}

export interface EntryVersionRow {
  tenant_id: string
  entry_id: string
  version: number
  visibility: string
  workspace_id: string | null
  /** Copied from the snapshot, so that the title can be read without it. */
  title: string
  /** The entry as the API answered it before the change. */
  snapshot: string
  updated_at: number
}

/** A deleted entry that rests in the bin. */
export interface BinnedEntryRow {
  tenant_id: string
  id: string
  visibility: string
  workspace_id: string | null
  created_by_user_id: string | null
  deleted_at: number
  /** Time at which the entry is deleted for good. */
  purge_at: number
  deleted_by_user_id: string | null
  type: string
  title: string
  category_id: string
  language: string
  source: string
  source_reference: string | null
  version: number
  /** Ids of the projects and sites that had the entry, as JSON. */
  projects: string
  sites: string
  /** The deleted row of `entries`, as JSON. */
  entry: string
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
  /**
   * Hashes of the texts that the model has read, eight bytes each, in the order of the vectors, that of the line above
   * last; zeros for a text that waits. Null for a model that embeds within the write.
   */
  text_hashes: Buffer | null
}

export interface EmbeddingJobRow {
  tenant_id: string
  /** Kind of the document in `item_id`, such as `entry`. */
  kind: string
  item_id: string
  model: string
  attempts: number
  run_after: number
  claimed_until: number
  /** 1 when the provider refused the text. */
  refused: number
  last_error: string | null
}
