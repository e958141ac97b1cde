import { queryOptions, useMutation } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { components } from './schema.d.ts'

/** Returns the query for the invitation that a link leads to. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation-link', token],
    queryFn: ({ signal }) => answerOf(api.POST('/api/session/invitation/show', { signal, body: { token } })),
    staleTime: Infinity,
  })

export function useAccept() {
  return useMutation({
    mutationFn: (body: components['schemas']['InvitationAccept']) =>
      answerOf(api.POST('/api/session/invitation', { body })),
    gcTime: 0,
  })
}

/** Returns the query for the person whose password a link sets. */
export const passwordLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['password-link', token],
    queryFn: ({ signal }) => answerOf(api.POST('/api/session/new-password/show', { signal, body: { token } })),
    staleTime: Infinity,
  })

export function useSetPassword() {
  return useMutation({
    mutationFn: (body: components['schemas']['PasswordReset']) =>
      answerOf(api.POST('/api/session/new-password', { body })),
    gcTime: 0,
  })
}

/** Asks for a link by mail. The answer is the same for an address that no person has. */
export function useForgotten() {
  return useMutation({
    mutationFn: (email: string) => answerOf(api.POST('/api/session/forgotten-password', { body: { email } })),
  })
}
