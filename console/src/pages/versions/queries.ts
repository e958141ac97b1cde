import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api, everyPage } from '../../api/client.ts'
import { type Entry, entryQuery } from '../../api/entries.ts'
import { bodyOf, differing, fieldsOf } from '../../api/entry-fields.ts'

const PATH = '/api/knowledge/knowledge-entries/{entry_id}'

/** Earlier versions that the person may see, the newest first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['entries', id, 'versions'],
    queryFn: ({ signal }) =>
      everyPage((query) => api.GET(`${PATH}/versions`, { signal, params: { path: { entry_id: id }, query } })),
  })

/** The entry as it was. A version never changes. */
export const versionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['entries', id, 'versions', version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      answerOf(api.GET(`${PATH}/versions/{version}`, { signal, params: { path: { entry_id: id, version } } })),
  })

/** Saves an earlier version as the newest. Fails with 412 when the entry is not `now` any more. */
export function useRestore() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ now, earlier }: { readonly now: Entry; readonly earlier: Entry }) => {
      const names = differing(fieldsOf(now), fieldsOf(earlier)).filter((name) => name !== 'type')
      return answerOf(
        api.PATCH(PATH, {
          params: { path: { entry_id: now.id }, header: { 'If-Match': `"${now.version}"` } },
          body: bodyOf(fieldsOf(earlier), names),
        }),
      )
    },
    onSettled: (_entry, _error, { now }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: entryQuery(now.id).queryKey }),
        queries.invalidateQueries({ queryKey: ['entries'] }),
      ]),
  })
}
