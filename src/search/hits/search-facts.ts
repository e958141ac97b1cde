/** Facts about an answered search, besides its hits. */
export interface SearchFacts {
  /** Id of the search in the search log. */
  readonly logId: string
  /**
   * Whether the query got no vector, because its provider failed or the tenant's quota is used up: words alone decided.
   */
  readonly degraded: boolean
  /** Whether the engine ranked and counted all qualified documents; a search with pgvector may rank only a part. */
  readonly isExact: boolean
  /** Milliseconds of each part of the search. */
  readonly timing: Readonly<Record<string, number>>
}
