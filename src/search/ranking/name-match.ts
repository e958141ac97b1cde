/**
 * Share of its worth that a match keeps in a name with many other words. Measured in
 * docs/maintainers/search-quality.md.
 */
const LONG_NAME_SHARE = 0.5

/**
 * Returns how well a query names a document, from 0 to 1. It grows with the share of the query's words that the name
 * has, and with the share that these words are of the name.
 * @param ofQuery share of the query's words that the name has, by their weight, 0 to 1
 * @param ofName number of the query's words in the name, divided by the number of the name's words. It may exceed 1,
 *   because one compound in a name can answer several words
 */
export function nameMatch(ofQuery: number, ofName: number): number {
  return ofQuery * (LONG_NAME_SHARE + (1 - LONG_NAME_SHARE) * Math.min(1, ofName))
}
