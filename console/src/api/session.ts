import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'
import { isSignedOut } from './queries.ts'

export type Session = AnswerOf<'/api/session', 'get'>
export type SignInMethods = AnswerOf<'/api/session/methods', 'get'>

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await answerOf(api.GET('/api/session'))
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
})

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => answerOf(api.GET('/api/session/methods')),
  staleTime: Infinity,
})

export interface Credentials {
  readonly email: string
  readonly password: string
  /** Only where address and password fit several organisations. */
  readonly tenant: string | null
}

export function useSignIn() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (credentials: Credentials) => answerOf(api.POST('/api/session', { body: credentials })),
    meta: { signsIn: true },
    onSuccess: (session) => queries.setQueryData(sessionQuery.queryKey, session),
  })
}

/** Afterwards nothing of what was read is kept. */
export function useSignOut() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/session')),
    onSuccess: () => queries.clear(),
  })
}
