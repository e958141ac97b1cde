/** What a match keeps of its worth where the name says much else. Measured in docs/maintainers/search-quality.md. */
const LONG_NAME_SHARE = 0.5

/**
 * How well a query names a document, 0 to 1: for the share of the query's words that the name has, and the more of the
 * name these words are.
 * @param ofQuery share of the query's words that the name has, by their weight, 0 to 1
 * @param ofName words of the query that the name has, for each of its own words
 */
export function nameMatch(ofQuery: number, ofName: number): number {
  return ofQuery * (LONG_NAME_SHARE + (1 - LONG_NAME_SHARE) * Math.min(1, ofName))
}
