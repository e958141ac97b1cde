import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'
import type { components } from './schema.d.ts'
import { sessionQuery } from './session.ts'
import { endSession } from './sign-out.ts'

export type Profile = AnswerOf<'/api/session/profile', 'get'>

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/session/profile', { signal })),
})

export const ownSessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/session/sessions', { signal })),
})

/**
 * Changes the name or the language of the person, also in the session. The caller then calls the router's `invalidate`,
 * since routes keep the session they began with.
 */
export function useChangeProfile() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: components['schemas']['ProfileChange']) => answerOf(api.PATCH('/api/session/profile', { body })),
    onSuccess: async (profile) => {
      queries.setQueryData(profileQuery.queryKey, profile)
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
    },
  })
}

export function useChangePassword() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: components['schemas']['PasswordChange']) => answerOf(api.PUT('/api/session/password', { body })),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  })
}

export function useEndSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE('/api/session/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  })
}

/** Ends all sessions of the person, the present one too. */
export function useSignOutEverywhere() {
  return useMutation({ mutationFn: () => endSession('everywhere') })
}
