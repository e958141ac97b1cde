// Rows of the search log and of what is learnt from it. Conventions are those of `tables.ts`.

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
  /** The hash of who searched, `period.hash`; null without a visitor id, and where a user is known. */
  visitor: string | null
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
  /** As in the search log; with it, the hash of the network that the click came from. */
  visitor: string | null
  network: string | null
}

/** What a tenant's visitors are hashed with during one period. */
export interface VisitorSaltRow {
  tenant_id: string
  /** Number of the period since 1970. */
  period: number
  sealed: string
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
