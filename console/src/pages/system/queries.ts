import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'

export type Status = AnswerOf<'/api/knowledge/status', 'get'>

const BUSY_MS = 3_000
const CALM_MS = 30_000

/** How the service is for the organisation. While something is under way it is asked often. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/status', { signal })),
  refetchInterval: ({ state: { data } }) =>
    data === undefined || data.search === null || data.embedding.pending > 0 ? BUSY_MS : CALM_MS,
})
