import type { SearchRequest } from './engine.ts'

/** What a search asks for, as its contract has it. */
interface Asked {
  readonly relevance?: boolean
  readonly min_relevance?: number | null
}

/** The part of a search request that asks for the relevance of hits; nothing when the caller did not. */
export function ratedBy({ relevance, min_relevance: min = null }: Asked): Pick<SearchRequest, 'rated'> {
  return relevance === true || min !== null ? { rated: { min } } : {}
}

/** A hit's relevance as a member of its JSON; empty when the search did not ask for it. */
export function ratingJson(relevance: number | undefined): string {
  return relevance === undefined ? '' : `,"relevance":${relevance}`
}
