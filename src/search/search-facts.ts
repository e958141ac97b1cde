/** What a search tells beside its hits. */
export interface SearchFacts {
  readonly logId: string
  /** Whether the provider of embeddings was down and keywords alone decided. */
  readonly degraded: boolean
  /** Milliseconds by what they were spent on. */
  readonly timing: Readonly<Record<string, number>>
}
