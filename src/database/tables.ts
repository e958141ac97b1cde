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
  /** Apart from the users, so that nothing that reads a user reads a hash. */
  user_passwords: { tenant_id: string; user_id: string; hash: string; changed_at: number }
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
  sites: SiteRow
  site_entries: { tenant_id: string; site_id: string; entry_id: string }
  products: ProductRow
  product_tombstones: { tenant_id: string; product_id: string; seq: number }
  product_vectors: ProductVectorsRow
  search_log: SearchLogRow
  search_clicks: SearchClickRow
  click_boosts: ClickBoostRow
  user_identities: UserIdentityRow
  sessions: SessionRow
  oauth_clients: OAuthClientRow
  oauth_records: OAuthRecordRow
  oauth_signing_keys: { tenant_id: string; id: string; sealed: string; created_at: number }
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
  /** Also in the snapshot; here it is found without reading that. */
  title: string
  /** The entry as it was, as the API answers it. */
  snapshot: string
  updated_at: number
}

interface EntryVectorsRow {
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

/** One section of one answered search. */
export interface SearchLogRow {
  tenant_id: string
  /** What X-Search-Log-Id answered; the sections of a combined search share it. */
  id: string
  section: string
  at: number
  site_id: string | null
  mode: string
  /** Null, like its key, where the tenant keeps no query texts. */
  query: string | null
  query_key: string | null
  page_offset: number
  /** Hits in all where the search counts them, else those on the page. */
  hits: number
  /** Ids on the page in their order, as JSON. */
  shown: string
  user_id: string | null
  client_id: string | null
  duration_ms: number
  /** Clicks on it so far. */
  clicks: number
  /** Rank of the first hit clicked, from 1; null without a click on what was shown. */
  first_rank: number | null
}

export interface SearchClickRow {
  tenant_id: string
  id: string
  at: number
  search_log_id: string
  search_known: number
  action: string
  product_id: string
  section: string
  /** As the event gave it. */
  rank: number
  score: number
  /** Rank in the logged search, from 1; null when it did not show the product. */
  shown_rank: number | null
  site_id: string | null
  user_id: string | null
  client_id: string | null
}

export interface ClickBoostRow {
  tenant_id: string
  /** Empty for searches over no site in particular. */
  site_id: string
  query_key: string
  product_id: string
  clicks: number
  expected_clicks: number
  boost: number
  computed_at: number
}

export interface SiteRow {
  tenant_id: string
  id: string
  slug: string
  name: string
  domain: string | null
  language: string
  site_type: string
  platform: string | null
  config: string
  /** 1 for exactly one site of a tenant. */
  is_default: number
  created_at: number
}

export interface ProductRow {
  tenant_id: string
  id: string
  site_id: string
  external_id: string | null
  title: string
  description: string | null
  short_description: string | null
  sku: string | null
  gtin: string | null
  brand: string | null
  category: string | null
  attributes: string
  properties: string
  /** Decimal text, exactly as it was sent. */
  price_current: string | null
  price_msrp: string | null
  price_special: string | null
  price_on_request: number
  currency: string
  image_url: string | null
  additional_images: string
  product_url: string | null
  availability: string | null
  rating_average: string | null
  rating_count: number
  language: string
  translation_group_id: string | null
  /** What the writer named; the id beside it is null until that product is there. */
  parent_external_id: string | null
  parent_product_id: string | null
  is_variant: number
  is_parent: number
  source: string
  sync_hash: string | null
  similarity_text: string | null
  search_keywords: string
  embedding_text_description: string | null
  embedding_text_properties: string | null
  embedding_text_attributes: string | null
  /** Embedder id of its current vectors; null until it has some. */
  embedding_model: string | null
  /** Counts the writes that changed something. */
  revision: number
  last_synced_at: number | null
  /** The full sync that named it last. */
  sync_run: string | null
  /** When a full sync no longer named it; null while it is there. */
  retired_at: number | null
  created_at: number
  updated_at: number
  /** Watermark of its newest change that search must see. */
  seq: number
}

export interface ProductVectorsRow {
  tenant_id: string
  product_id: string
  model: string
  /** Vectors of its embedding texts one after the other, little-endian float32. */
  vectors: Buffer
  /** Vector of the similarity text; null when it has none. */
  similarity: Buffer | null
}

/** Whom an outside provider means by a subject. */
interface UserIdentityRow {
  tenant_id: string
  issuer: string
  subject: string
  user_id: string
  created_at: number
}

/** Somebody signed in in a browser. */
export interface SessionRow {
  tenant_id: string
  id: string
  /** SHA-256 of the cookie's value, hexadecimal. */
  hash: string
  user_id: string
  created_at: number
  expires_at: number
}

export interface OAuthClientRow {
  /** `*` for a client that registered itself where many tenants are served. */
  tenant_id: string
  id: string
  /** By an API key, by itself, or described by a document at its own address. */
  registration: 'key' | 'open' | 'document'
  /** As registered (RFC 7591), JSON without the secret. */
  metadata: string
  /** SHA-256 of the client secret; null for a client described by a document. */
  secret_hash: string | null
  /** SHA-256 of the registration access token (RFC 7592). */
  management_hash: string | null
  /** What the credential that registered it may do: the most it may do without a person. */
  scopes_max: string
  /** Whose key registered it: what it is given for itself belongs to that user, and ends with them. */
  user_id: string | null
  created_at: number
  last_used_at: number | null
}

/** One object of the OAuth server: a session, interaction, grant, code or token. */
export interface OAuthRecordRow {
  tenant_id: string
  kind: string
  /** SHA-256 of its id, hexadecimal: who holds the id holds the token. */
  hash: string
  payload: string
  uid: string | null
  /** The grant it came from; a grant's own id. */
  grant_id: string | null
  client_id: string | null
  user_id: string | null
  scopes: string
  /** The resource a token is for. */
  audience: string | null
  consumed_at: number | null
  created_at: number
  expires_at: number | null
}
