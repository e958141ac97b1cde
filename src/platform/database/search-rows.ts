// Rows of the search log and of click learning. `tables.ts` has the conventions.

/** One section of one answered search. */
export interface SearchLogRow {
  tenant_id: string
  /** Value of the X-Search-Log-Id header. Sections of a combined search share it. */
  id: string
  section: string
  at: number
  site_id: string | null
  mode: string
  /** Null, like `query_key`, when the tenant logs no query texts. */
  query: string | null
  query_key: string | null
  page_offset: number
  /** All hits if the search counts them, else the hits on the page. */
  hits: number
  /** Ids of the hits on the page, in order, as JSON. */
  shown: string
  user_id: string | null
  client_id: string | null
  duration_ms: number
  /** Hash of the visitor, `period.hash`. Null without a visitor id, and when the user is known. */
  visitor: string | null
  /** Clicks on the hits so far. */
  clicks: number
  /** Rank of the first clicked hit, from 1; null while no shown hit was clicked. */
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
  /** Rank as the click event gave it. */
  rank: number
  score: number
  /** Rank in the logged search, from 1; null when the search did not show the product. */
  shown_rank: number | null
  site_id: string | null
  user_id: string | null
  client_id: string | null
  /**
   * Hash of the visitor, as in the search log. When set, `network` is the hash of the network that the click came from.
   */
  visitor: string | null
  network: string | null
}

/** Salt for the hashes of a tenant's visitors in one period. */
export interface VisitorSaltRow {
  tenant_id: string
  /** Number of the period since 1970. */
  period: number
  sealed: string
}

export interface ClickBoostRow {
  tenant_id: string
  /** Empty for searches over no particular site. */
  site_id: string
  query_key: string
  product_id: string
  clicks: number
  expected_clicks: number
  boost: number
  computed_at: number
}
