/** Places that a hit moves up or down at most, whatever is added to it and to the hits around it. */
export const PLACES_MOVED_MAX = 3

/**
 * Orders a ranking by changed scores, with no member further than `PLACES_MOVED_MAX` from its place. Place after place
 * goes to the highest score among the members that may come so far; one that can wait no longer comes first. Only one
 * member reaches its limit at a place, so all of them keep it.
 * @param scores the changed scores, in the order of the ranking; of the beginning of a ranking every place is final but
 * the last `PLACES_MOVED_MAX`
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
