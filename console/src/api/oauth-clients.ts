import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { plainName } from './plain-name.ts'
import { type AnswerOf, answerOf, api, everyPage } from './client.ts'

export type OauthClient = AnswerOf<'/api/knowledge/oauth-clients', 'get'>[number]
export type OauthGrant = AnswerOf<'/api/knowledge/oauth-grants', 'get'>[number]

/** Returns the client or grant with a name that is safe to show, because strangers choose names of clients. */
const withPlainName = <T extends { client_id: string; client_name: string }>(client: T): T => ({
  ...client,
  client_name: plainName(client.client_name, client.client_id),
})

export const clientsQuery = queryOptions({
  queryKey: ['oauth-clients'],
  queryFn: async () =>
    (await everyPage((query) => api.GET('/api/knowledge/oauth-clients', { params: { query } }))).map(withPlainName),
})

/** The grants that the service shows: all of the organisation to administrators, their own to others. */
export const grantsQuery = queryOptions({
  queryKey: ['oauth-grants'],
  queryFn: async () =>
    (await everyPage((query) => api.GET('/api/knowledge/oauth-grants', { params: { query } }))).map(withPlainName),
})

/**
 * The address of the MCP server that people enter in an assistant. It comes from the service, because this page may be
 * open at another address.
 */
export const assistantAddressQuery = queryOptions({
  queryKey: ['assistant-address'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => String((await answerOf(api.GET('/.well-known/oauth-protected-resource/mcp'))).resource),
})

/** Removes a client, and ends its grants and tokens. */
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
