import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'

export type Status = AnswerOf<'/api/knowledge/status', 'get'>
export type Quotas = AnswerOf<'/api/knowledge/quotas', 'get'>

const BUSY_MS = 3_000
const CALM_MS = 30_000

/** State of the service for the organisation. It is read often while work is under way. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/status', { signal })),
  refetchInterval: ({ state: { data } }) =>
    data === undefined || data.search === null || data.embedding.pending > 0 || data.search.indexes_behind > 0
      ? BUSY_MS
      : CALM_MS,
})

/** Quotas of the organisation, and its use. */
export const quotasQuery = queryOptions({
  queryKey: ['quotas'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/quotas', { signal })),
  refetchInterval: CALM_MS,
})

/** Returns a function that reads all data of the page again. */
export function useCheckAgain(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const { queryKey } of [statusQuery, quotasQuery]) void queries.invalidateQueries({ queryKey })
  }
}
