/**
 * Constants of BM25F in its simple variant: one weighted term frequency and one weighted length per document
 * (Robertson, Zaragoza, Taylor: Simple BM25 Extension to Multiple Weighted Fields, CIKM 2004).
 */
export const K1 = 1.2
export const B = 0.75

/** Returns the inverse document frequency of a term. It is over 0 even for a term that every document has. */
export function idf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/**
 * Returns the saturated frequency of a term, over 0 and below `K1 + 1`.
 * @param tf weighted frequency of the term in the document, over 0
 * @param length weighted length of the document
 * @param meanLength mean weighted length of the documents from which the statistics come
 */
export function saturation(tf: number, length: number, meanLength: number): number {
  const ratio = meanLength > 0 ? length / meanLength : 1
  return (tf * (K1 + 1)) / (tf + K1 * (1 - B + B * ratio))
}
