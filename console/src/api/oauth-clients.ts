import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'

export type OauthClient = AnswerOf<'/api/knowledge/oauth-clients', 'get'>[number]
export type OauthGrant = AnswerOf<'/api/knowledge/oauth-grants', 'get'>[number]

export const clientsQuery = queryOptions({
  queryKey: ['oauth-clients'],
  queryFn: () => answerOf(api.GET('/api/knowledge/oauth-clients')),
})

/** All of the organisation for administrators, one's own for everybody else. */
export const grantsQuery = queryOptions({
  queryKey: ['oauth-grants'],
  queryFn: () => answerOf(api.GET('/api/knowledge/oauth-grants')),
})

/** The client's grants and tokens end with it. */
export function useRemoveClient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (clientId: string) =>
      answerOf(api.DELETE('/api/knowledge/oauth-clients/{client_id}', { params: { path: { client_id: clientId } } })),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: clientsQuery.queryKey }),
        queries.invalidateQueries({ queryKey: grantsQuery.queryKey }),
      ]),
  })
}

export function useRevokeGrant() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (grantId: string) =>
      answerOf(api.DELETE('/api/knowledge/oauth-grants/{grant_id}', { params: { path: { grant_id: grantId } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: grantsQuery.queryKey }),
  })
}
