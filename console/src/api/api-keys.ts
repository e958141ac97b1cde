import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Scope } from '../../../src/platform/access/scopes.ts'
import type { components } from './schema.d.ts'
import { type AnswerOf, answerOf, api, everyPage } from './client.ts'
import type { Proof } from './factors.ts'

export type ApiKey = AnswerOf<'/api/knowledge/api-keys', 'get'>[number]
export type IssuedKey = AnswerOf<'/api/knowledge/api-keys', 'post', 201>

/** The tenant's API keys, the newest first. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async () =>
    (await everyPage((query) => api.GET('/api/knowledge/api-keys', { params: { query } }))).reverse(),
})

export interface KeyOrder {
  readonly name: string
  readonly scopes: Scope[]
  readonly user_id: string | null
  /** ISO time; null for never. */
  readonly expires_at: string | null
  /** Proof of the person who issues a key that administers the organisation. */
  readonly confirmation?: Proof
}

export function useIssueKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: KeyOrder): Promise<IssuedKey> => answerOf(api.POST('/api/knowledge/api-keys', { body: order })),
    // The key is shown once; nothing may keep it.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  })
}

export type PublishableOrder = components['schemas']['PublishableKeyCreate']
export type Section = PublishableOrder['sections'][number]

/** Issues a key that pages may contain. */
export function usePublishKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: PublishableOrder): Promise<IssuedKey> =>
      answerOf(api.POST('/api/knowledge/api-keys/publishable', { body: order })),
    onSuccess: () => queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  })
}

export function useRevokeKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ keyId, withIssued }: { readonly keyId: string; readonly withIssued: boolean }) =>
      answerOf(
        api.DELETE('/api/knowledge/api-keys/{key_id}', {
          params: { path: { key_id: keyId }, query: { with_issued: withIssued } },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  })
}
