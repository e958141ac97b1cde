import type { SearchRequest } from '../../engine.ts'

/** Whether a search counts what it finds, without any hits. */
export function isCounting({ limit }: SearchRequest): boolean {
  return limit === 0
}

/** Whether a search that counts finds all eligible documents, whatever the query's words. */
export function areAllFound(request: SearchRequest): boolean {
  const { mode, relevance, allWords, rated, corrections } = request
  const isByWords = [relevance, allWords, rated, corrections].some((each) => each !== undefined)
  return isCounting(request) && mode === 'hybrid' && !isByWords
}
