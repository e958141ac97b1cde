/** Facts about a search, besides its hits. */
export interface SearchFacts {
  readonly logId: string
  /** Whether the embedding provider was down, so words alone decided. */
  readonly degraded: boolean
  /** Whether everything that can be found was ranked and counted; an engine with replicas may take a part. */
  readonly isExact: boolean
  /** Milliseconds of each part of the search. */
  readonly timing: Readonly<Record<string, number>>
}
