import { RELEVANT } from '../src/search/ranking/relevance.ts'
import type { NonsenseQuery } from './judged-data.ts'
import { fixed, table } from './support/table.ts'

/** Figures of a query's first hit; null where there is none. */
export type TopHit = { readonly score: number; readonly similarity: number; readonly relevance: number } | null

/** Figures of nonsense queries, which no entry answers. */
export interface NonsenseReport {
  readonly place: string
  readonly queries: number
  /** Number of queries with a hit. */
  readonly answered: number
  /** Number of queries without a relevant hit. */
  readonly irrelevant: number
  /** Scores of the first hits: the highest and the median. */
  readonly score: { readonly highest: number; readonly median: number }
  readonly similarity: { readonly highest: number; readonly median: number }
}

export async function measureNonsense(
  place: string,
  queries: readonly NonsenseQuery[],
  ask: (text: string) => Promise<TopHit>,
): Promise<NonsenseReport> {
  const tops: TopHit[] = []
  for (const { text } of queries) tops.push(await ask(text))
  const hits = tops.filter((top) => top !== null)
  return {
    place,
    queries: queries.length,
    answered: hits.length,
    irrelevant: tops.filter((top) => top === null || top.relevance < RELEVANT).length,
    score: spread(hits.map(({ score }) => score)),
    similarity: spread(hits.map(({ similarity }) => similarity)),
  }
}

function spread(values: readonly number[]): { highest: number; median: number } {
  const sorted = values.toSorted((a, b) => a - b)
  return { highest: sorted.at(-1) ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0 }
}

export function nonsenseText(reports: readonly NonsenseReport[]): string {
  const figures = ({ highest, median }: NonsenseReport['score']): string[] => [fixed(highest, 3), fixed(median, 3)]
  return table(
    [
      'nonsense in',
      'queries',
      'with a hit',
      `relevance under ${RELEVANT}`,
      'highest score',
      'median',
      'highest similarity',
      'median',
    ],
    reports.map(({ place, queries, answered, irrelevant, score, similarity }) => {
      return [place, queries, answered, fixed(irrelevant / queries, 2), ...figures(score), ...figures(similarity)]
    }),
  )
}
