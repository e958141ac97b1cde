import { type Judgments, ndcg10 } from '../src/channels/judged-sets/quality.ts'

export { isFirstRight, type Judgments } from '../src/channels/judged-sets/quality.ts'

/** Figures for the quality of a ranking, computed like trec_eval with linear gain. */
export interface Quality {
  readonly ndcg10: number
  readonly recall100: number
  readonly mrr10: number
}

/**
 * Returns the figures of one query; null if no document is relevant, because such a query does not count. nDCG@10:
 * grade / log2(rank + 1), relative to the ideal order of the judgments (Järvelin, Kekäläinen, TOIS 2002). Recall@100:
 * the share of all relevant documents that are among the first 100. MRR@10: 1 / rank of the first relevant document
 * among the first 10, else 0.
 * @param ranked document ids, best first
 */
function scoreQuery(judged: Judgments, ranked: readonly string[]): Quality | null {
  const grades = [...judged.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  if (grades.length === 0) return null
  const gains = ranked.map((id) => Math.max(0, judged.get(id) ?? 0))
  const first = gains.slice(0, 10).findIndex((gain) => gain > 0)
  return {
    ndcg10: ndcg10(judged, ranked)!,
    recall100: gains.slice(0, 100).filter((gain) => gain > 0).length / grades.length,
    mrr10: first < 0 ? 0 : 1 / (first + 1),
  }
}

/** Returns the means over all queries with relevant documents; a query without an answer counts as 0. */
export function scoreRun(
  judgments: ReadonlyMap<string, Judgments>,
  run: ReadonlyMap<string, readonly string[]>,
): Quality & { readonly queries: number } {
  const scores = [...judgments].flatMap(([query, judged]) => scoreQuery(judged, run.get(query) ?? []) ?? [])
  const mean = (of: (score: Quality) => number): number =>
    scores.reduce((sum, score) => sum + of(score), 0) / Math.max(1, scores.length)
  return {
    ndcg10: mean((score) => score.ndcg10),
    recall100: mean((score) => score.recall100),
    mrr10: mean((score) => score.mrr10),
    queries: scores.length,
  }
}
