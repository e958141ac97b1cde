import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api, everyPage } from '../../api/client.ts'
import { type Entry, entryQuery } from '../../api/entries.ts'
import { bodyOf, differingNames, fieldsOf } from '../../api/entry-fields.ts'

const PATH = '/api/knowledge/knowledge-entries/{entry_id}'

/** Returns the query for earlier versions that the person may see, the newest first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['entries', id, 'versions'],
    queryFn: ({ signal }) =>
      everyPage((query) => api.GET(`${PATH}/versions`, { signal, params: { path: { entry_id: id }, query } })),
  })

/** Returns the query for one version of an entry. A version never changes. */
export const versionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['entries', id, 'versions', version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      answerOf(api.GET(`${PATH}/versions/{version}`, { signal, params: { path: { entry_id: id, version } } })),
  })

/** Saves an earlier version as the newest. Fails with 412 when the entry is no longer in the state `now`. */
export function useRestore() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ now, earlier }: { readonly now: Entry; readonly earlier: Entry }) => {
      const names = differingNames(fieldsOf(now), fieldsOf(earlier)).filter((name) => name !== 'type')
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
