import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'

export type Rule = AnswerOf<'/api/knowledge/sites/{site_id}/merchandising', 'get'>[number]

/** Returns the query for the rules of a site, the oldest first. */
export const rulesQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['merchandising', siteId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/sites/{site_id}/merchandising', { signal, params: { path: { site_id: siteId } } }),
      ),
  })

/** Tells whether the rule applies at a moment, as far as its switch and its dates say. */
export function isInForce({ is_active: isActive, from, to }: Rule, nowMs: number): boolean {
  return isActive && (from === null || Date.parse(from) <= nowMs) && (to === null || nowMs <= Date.parse(to))
}
