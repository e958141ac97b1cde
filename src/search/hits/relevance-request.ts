import type { SearchHit, SearchRequest } from '../engine.ts'
import { RELEVANT } from '../ranking/relevance.ts'

/** Fields of a search request, by their names in the contract. */
interface RelevanceChoice {
  readonly relevance?: boolean
  readonly min_relevance?: number | null
}

/** Returns the part of an engine request that asks for relevance; empty unless the caller's request asks for it. */
export function ratingRequest({ relevance, min_relevance: min = null }: RelevanceChoice): Pick<SearchRequest, 'rated'> {
  return relevance === true || min !== null ? { rated: { min } } : {}
}

/**
 * Tells whether a hit is more than a match by chance. Without a relevance, as in a search that does not ask for it,
 * every hit counts as relevant.
 */
export const isRelevant = ({ relevance = 1 }: Pick<SearchHit, 'relevance'>): boolean => relevance >= RELEVANT
