import { queryOptions, useMutation } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import { type Proof, type SecondStep, signInWithPasskey, stepPasskey } from './factors.ts'
import type { Credential } from './session.ts'

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => answerOf(api.GET('/api/session/methods')),
  staleTime: Infinity,
})

interface Credentials {
  readonly email: string
  readonly password: string
  /** Name of the organisation; null unless address and password match several. */
  readonly tenant: string | null
}

/** Result of a sign-in with a password: a session, or a sign-in that waits for a second factor. */
export type SignedIn = { readonly credential: Credential } | { readonly step: SecondStep }

/** Signs in with a password. The caller decides when the pages begin to show the session (`useBegin`). */
export function useSignIn() {
  return useMutation({
    mutationFn: async (credentials: Credentials): Promise<SignedIn> => {
      const answer: Credential | SecondStep = await answerOf(api.POST('/api/session', { body: credentials }))
      return 'methods' in answer ? { step: answer } : { credential: answer }
    },
    meta: { signsIn: true },
  })
}

/** Signs in with a passkey alone. */
export function usePasskeySignIn() {
  return useMutation({ mutationFn: (): Promise<Credential> => signInWithPasskey(), meta: { signsIn: true } })
}

/** Completes a sign-in that waits for its second factor. */
export function useSecondStep() {
  return useMutation({
    mutationFn: async (proof: Proof | 'passkey'): Promise<Credential> => {
      const body = proof === 'passkey' ? { passkey: await stepPasskey() } : proof
      return answerOf(api.POST('/api/session/second-factor', { body }))
    },
    meta: { signsIn: true },
  })
}
