import type { SearchHit, SearchRequest } from '../engine.ts'
import { RELEVANT } from '../ranking/relevance.ts'

/** What a search asks for, as its contract has it. */
interface Asked {
  readonly relevance?: boolean
  readonly min_relevance?: number | null
}

/** The part of a search request that asks for the relevance of hits; nothing when the caller did not. */
export function ratedBy({ relevance, min_relevance: min = null }: Asked): Pick<SearchRequest, 'rated'> {
  return relevance === true || min !== null ? { rated: { min } } : {}
}

/** Whether a hit is more than a match by chance. A search that does not ask for relevance takes each hit for one. */
export const isMeant = ({ relevance = 1 }: Pick<SearchHit, 'relevance'>): boolean => relevance >= RELEVANT
