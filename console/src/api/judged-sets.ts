import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api, everyPage } from './client.ts'

export type JudgedSet = AnswerOf<'/api/knowledge/judged-sets', 'get'>[number]
export type JudgedQuery = AnswerOf<'/api/knowledge/judged-sets/{set_id}/queries', 'get'>[number]
export type Grade = 0 | 1 | 2

export const judgedSetsQuery = queryOptions({
  queryKey: ['judged-sets'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/judged-sets', { signal })),
})

const queriesKey = (setId: string) => ['judged-sets', setId, 'queries'] as const

/** Returns the query for all queries of a set with their judgments; 500 at most. */
export const judgedQueriesQuery = (setId: string) =>
  queryOptions({
    queryKey: queriesKey(setId),
    queryFn: ({ signal }): Promise<JudgedQuery[]> =>
      everyPage<JudgedQuery>((query) =>
        api.GET('/api/knowledge/judged-sets/{set_id}/queries', { signal, params: { path: { set_id: setId }, query } }),
      ),
  })

export function useCreateJudgedSet() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { name: string; section: JudgedSet['section'] }) =>
      answerOf(api.POST('/api/knowledge/judged-sets', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: judgedSetsQuery.queryKey, exact: true }),
  })
}

/** Judges one hit of a query; the grade null takes its judgment back. Changes of one set run one after another. */
export function useJudge(setId: string) {
  const queries = useQueryClient()
  const key = queriesKey(setId)
  return useMutation({
    scope: { id: `judged-set-${setId}` },
    mutationFn: async ({ query, id, grade }: { query: string; id: string; grade: Grade | null }) => {
      // Another tab or person may have judged since this page was loaded; the service takes the judgments of a query as
      // a whole.
      const judgedQueries = await queries.fetchQuery({ ...judgedQueriesQuery(setId), staleTime: 0 })
      const before = judgedQueries.find((each) => each.query === query)?.judgments ?? []
      const others = before.filter((each) => each.id !== id).map((each) => ({ id: each.id, grade: each.grade }))
      const judgments = grade === null ? others : [...others, { id, grade }]
      await answerOf(
        api.PUT('/api/knowledge/judged-sets/{set_id}/queries', {
          params: { path: { set_id: setId } },
          body: { queries: [{ query, judgments }] },
        }),
      )
      await queries.refetchQueries({ queryKey: key })
    },
    // The set itself too, because it says how many queries it has.
    onSuccess: () => queries.invalidateQueries({ queryKey: judgedSetsQuery.queryKey }),
  })
}
