import type { Caller } from '../../platform/access/caller.ts'

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
  /** Documents whose latest text the answer lacks; absent where it lacks none. */
  readonly behind?: number
  /** Milliseconds of each part of the search. */
  readonly timing: Readonly<Record<string, number>>
}

/** Returns the greatest number of several answers; undefined where no answer lacks a text. */
export function mostBehind(answers: readonly Pick<SearchFacts, 'behind'>[]): number | undefined {
  const all = answers.flatMap(({ behind }) => behind ?? [])
  return all.length === 0 ? undefined : Math.max(...all)
}

/**
 * Returns what a caller is told of the documents whose latest text an answer lacks. Their number counts documents that
 * the caller may not see, so only administrators are told more than that there are some.
 */
export function behindFor({ scopes }: Pick<Caller, 'scopes'>, behind: number): number | true {
  return scopes.has('tenant:admin') ? behind : true
}
