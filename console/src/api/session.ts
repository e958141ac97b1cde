import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'
import { isSignedOut } from './queries.ts'

type Credential = AnswerOf<'/api/session', 'get'>
/** A person's credential, as every session's is. */
export interface Session {
  readonly user: NonNullable<Credential['user']>
  readonly tenant: Credential['tenant']
  readonly scopes: Credential['scopes']
}

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return sessionOf(await answerOf(api.GET('/api/session')))
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

function sessionOf({ user, ...rest }: Credential): Session | null {
  return user === null ? null : { user, ...rest }
}

interface Credentials {
  readonly email: string
  readonly password: string
  /** Only set when address and password match several organisations. */
  readonly tenant: string | null
}

export function useSignIn() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (credentials: Credentials) => answerOf(api.POST('/api/session', { body: credentials })),
    meta: { signsIn: true },
    onSuccess: (credential) => queries.setQueryData(sessionQuery.queryKey, sessionOf(credential)),
  })
}

/** Afterwards nothing that was loaded stays in memory. */
export function useSignOut() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/session')),
    onSuccess: () => queries.clear(),
  })
}
