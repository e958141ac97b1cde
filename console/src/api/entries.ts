import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'

export type Entry = AnswerOf<'/api/knowledge/knowledge-entries/{entry_id}', 'get'>

/** Returns the query for one entry with the names on the way to its category. */
export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: ['entries', id],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/knowledge-entries/{entry_id}', {
          signal,
          params: { path: { entry_id: id }, query: { include_category_path: true } },
        }),
      ),
  })
