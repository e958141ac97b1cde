import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'

export type Entry = AnswerOf<'/api/knowledge/knowledge-entries/{entry_id}', 'get'>

/** An entry, and whether it is the reader's own and no search finds it, since the search memory is full. */
export type EntryRead = Entry & { readonly isLeftOut: boolean }

/** Returns the query for one entry with the names on the way to its category. */
export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: ['entries', id],
    queryFn: async ({ signal }): Promise<EntryRead> => {
      const call = api.GET('/api/knowledge/knowledge-entries/{entry_id}', {
        signal,
        params: { path: { entry_id: id }, query: { include_category_path: true } },
      })
      const entry = await answerOf(call)
      const { headers } = (await call).response
      return { ...entry, isLeftOut: headers.get('x-search-left-out') === 'true' }
    },
  })
