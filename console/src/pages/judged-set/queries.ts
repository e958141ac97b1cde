import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'
import { judgedSetsQuery } from '../../api/judged-sets.ts'

export type Run = AnswerOf<'/api/knowledge/judged-sets/{set_id}/runs', 'get'>[number]
type RunDetail = AnswerOf<'/api/knowledge/judged-sets/{set_id}/runs/{run_id}', 'get'>
export type RunResult = RunDetail['results'][number]
export type RunMode = 'hybrid' | 'semantic' | 'keyword'

/** Pause between two questions about the progress of a run. */
const POLL_MS = 500

const pathOf = (setId: string) => ({ params: { path: { set_id: setId } } })

export const judgedSetQuery = (setId: string) =>
  queryOptions({
    queryKey: ['judged-sets', setId],
    queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/judged-sets/{set_id}', { signal, ...pathOf(setId) })),
  })

export const runsQuery = (setId: string) =>
  queryOptions({
    queryKey: ['judged-sets', setId, 'runs'],
    queryFn: ({ signal }): Promise<Run[]> =>
      answerOf(api.GET('/api/knowledge/judged-sets/{set_id}/runs', { signal, ...pathOf(setId) })),
    refetchInterval: ({ state }) => (state.data?.some((run) => run.state === 'running') === true ? POLL_MS : false),
  })

/** Returns the query for a run with its results. They never change, so they are never renewed. */
export const runQuery = (setId: string, runId: string) =>
  queryOptions({
    queryKey: ['judged-sets', setId, 'runs', runId],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/judged-sets/{set_id}/runs/{run_id}', {
          signal,
          params: { path: { set_id: setId, run_id: runId } },
        }),
      ),
  })

export function useStartRun(setId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { mode: RunMode; role: 'reader' | 'editor' | null }) =>
      answerOf(api.POST('/api/knowledge/judged-sets/{set_id}/runs', { ...pathOf(setId), body })),
    onSettled: () => queries.invalidateQueries({ queryKey: runsQuery(setId).queryKey, exact: true }),
  })
}

export function useRemoveSet(setId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/knowledge/judged-sets/{set_id}', pathOf(setId))),
    onSuccess: () => queries.invalidateQueries({ queryKey: judgedSetsQuery.queryKey, exact: true }),
  })
}

export function useRemoveQuery(setId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (queryId: string) =>
      answerOf(
        api.DELETE('/api/knowledge/judged-sets/{set_id}/queries/{query_id}', {
          params: { path: { set_id: setId, query_id: queryId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: judgedSetsQuery.queryKey }),
  })
}

export interface JudgedLine {
  readonly query: string
  readonly judgments: { id: string; grade: number }[]
}

export function useImport(setId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (lines: readonly JudgedLine[]) =>
      answerOf(
        api.PUT('/api/knowledge/judged-sets/{set_id}/queries', { ...pathOf(setId), body: { queries: [...lines] } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: judgedSetsQuery.queryKey }),
  })
}
