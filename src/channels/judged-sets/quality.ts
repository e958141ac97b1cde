/** Figures for the quality of a ranking, computed like trec_eval with linear gain. */

/** Grade by document; 0 and below mean not relevant. */
export type Judgments = ReadonlyMap<string, number>

/** From this grade on, a document answers the query rather than coming near. */
const RIGHT = 2

/**
 * Computes nDCG@10: grade / log2(rank + 1), relative to the ideal order (Järvelin, Kekäläinen, TOIS 2002).
 * @param ranked document ids, best first
 * @returns null if no document is relevant, because such a query does not count
 */
export function ndcg10(judgments: Judgments, ranked: readonly string[]): number | null {
  const grades = [...judgments.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  if (grades.length === 0) return null
  const gains = ranked.map((id) => Math.max(0, judgments.get(id) ?? 0))
  return discounted(gains) / discounted(grades)
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
}

/**
 * Tells whether the first hit is right; for a query that nothing answers, whether there is no hit.
 * @param judgments without a grade above 0 they mean that nothing answers the query
 */
export function isFirstRight(judgments: Judgments, ranked: readonly string[]): boolean {
  const isAnswerable = [...judgments.values()].some((grade) => grade > 0)
  return isAnswerable ? (judgments.get(ranked[0]) ?? 0) >= RIGHT : ranked.length === 0
}
