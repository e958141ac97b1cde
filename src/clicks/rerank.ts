import { BOOST_MAX, type ClickBoost } from './learning.ts'

/**
 * Orders hits by their score plus their boost's share of the range of scores among them. Hits whose scores
 * differ by more than twice `BOOST_MAX` of the range never change places; ties keep their order.
 * @param hits best first
 */
export function rerankByClicks<H extends { readonly id: string; readonly score: number }>(
  hits: readonly H[],
  boosts: ReadonlyMap<string, Pick<ClickBoost, 'boost'>>,
): H[] {
  if (boosts.size === 0 || hits.length < 2) return [...hits]
  const scores = hits.map((hit) => hit.score)
  const range = Math.max(...scores) - Math.min(...scores)
  const moved = hits.map((hit) => {
    const boost = boosts.get(hit.id)?.boost ?? 0
    return { hit, score: hit.score + range * Math.max(-BOOST_MAX, Math.min(BOOST_MAX, boost)) }
  })
  return moved.sort((a, b) => b.score - a.score).map(({ hit }) => hit)
}
