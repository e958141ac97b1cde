import type { SearchRequest } from '../../engine.ts'

/** Tells whether a search only counts documents, without any hits. */
export function isCounting({ limit }: SearchRequest): boolean {
  return limit === 0
}

/** Tells whether a search only counts, and counts every eligible document, whatever the query's words. */
export function areAllFound(request: SearchRequest): boolean {
  const { mode, relevance, allWords, rated, corrections } = request
  const isByWords = [relevance, allWords, rated, corrections].some((each) => each !== undefined)
  return isCounting(request) && mode === 'hybrid' && !isByWords
}
