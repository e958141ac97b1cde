/** Most places by which a hit moves up or down, whatever is added to its score or to the scores around it. */
export const PLACES_MOVED_MAX = 3

/**
 * Orders a ranking by changed scores and moves no member further than `PLACES_MOVED_MAX`. For each place it takes the
 * highest score among the members that may move there. A member that would otherwise move too far down comes first;
 * each place has at most one such member, so the bound always holds.
 * @param scores changed scores, in the order of the ranking. If they are only the first part of a ranking, all places
 *   except the last `PLACES_MOVED_MAX` are final
 * @returns for each place the index of its member; equal scores keep their order
 */
export function boundedOrder(scores: readonly number[]): number[] {
  const order: number[] = []
  const waiting: number[] = []
  let next = 0
  for (let place = 0; place < scores.length; place++) {
    for (; next < scores.length && next <= place + PLACES_MOVED_MAX; next++) waiting.push(next)
    let chosen = 0
    if (waiting[0] > place - PLACES_MOVED_MAX) {
      for (let i = 1; i < waiting.length; i++) if (scores[waiting[i]] > scores[waiting[chosen]]) chosen = i
    }
    order.push(...waiting.splice(chosen, 1))
  }
  return order
}
