import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'

export type Status = AnswerOf<'/api/knowledge/status', 'get'>
export type Quotas = AnswerOf<'/api/knowledge/quotas', 'get'>

const BUSY_MS = 3_000
const CALM_MS = 30_000

/** How the service is for the organisation. While something is under way it is asked often. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/status', { signal })),
  refetchInterval: ({ state: { data } }) =>
    data === undefined || data.search === null || data.embedding.pending > 0 ? BUSY_MS : CALM_MS,
})

/** What the organisation may have and use, and what it has and used. */
export const quotasQuery = queryOptions({
  queryKey: ['quotas'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/quotas', { signal })),
  refetchInterval: CALM_MS,
})

/** Asks anew for everything that the page shows. */
export function useCheckAgain(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const { queryKey } of [statusQuery, quotasQuery]) void queries.invalidateQueries({ queryKey })
  }
}
