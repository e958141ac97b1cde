import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'

const RELATED = 5

/** Returns the query for the entries of the same translation group. */
export const translationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['entries', id, 'translations'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/knowledge-entries/{entry_id}/translations', {
          signal,
          params: { path: { entry_id: id } },
        }),
      ),
  })

/** Returns the query for the entries nearest in meaning. */
export const relatedQuery = (id: string) =>
  queryOptions({
    queryKey: ['entries', id, 'related'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/knowledge-entries/{entry_id}/related', {
          signal,
          params: { path: { entry_id: id }, query: { limit: RELATED } },
        }),
      ),
  })
