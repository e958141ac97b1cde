import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'
import type { DraftOwner } from './drafts.ts'
import { type Proof, type SecondStep, signInWithPasskey, stepPasskey } from './factors.ts'
import { lazyFile } from './lazy-file.ts'
import { forgetPerson } from './personal-storage.ts'
import { isSignedOut } from './queries.ts'
import { tellSignIn } from './signed-in-again.ts'

export type Credential = AnswerOf<'/api/session', 'get'>
/** A person's credential, as every session's is. */
export interface Session {
  readonly user: NonNullable<Credential['user']>
  readonly tenant: Credential['tenant']
  readonly scopes: Credential['scopes']
  /** What the organisation demands before anything else. */
  readonly second_factor?: Credential['second_factor']
  readonly factors_reset_at?: Credential['factors_reset_at']
}

/**
 * Asks whose session the browser has.
 * @returns null when nobody is signed in
 */
export async function readSession(): Promise<Session | null> {
  try {
    return sessionOf(await answerOf(api.GET('/api/session')))
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession })

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => answerOf(api.GET('/api/session/methods')),
  staleTime: Infinity,
})

/** Somebody who has to sign in again counts as nobody. */
function sessionOf({ user, ...rest }: Credential): Session | null {
  return user === null || rest.second_factor === 'sign_in_again' ? null : { user, ...rest }
}

interface Credentials {
  readonly email: string
  readonly password: string
  /** Only set when address and password match several organisations. */
  readonly tenant: string | null
}

/** What signing in led to: a session, or a sign-in that waits for a second factor. */
export type SignedIn = { readonly credential: Credential } | { readonly step: SecondStep }

/** Signs in with a password. Whoever calls it decides when the session begins to show (`useBegin`). */
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

/** Ends a sign-in that waits with its second factor. */
export function useSecondStep() {
  return useMutation({
    mutationFn: async (proof: Proof | 'passkey'): Promise<Credential> => {
      const body = proof === 'passkey' ? { passkey: await stepPasskey() } : proof
      return answerOf(api.POST('/api/session/second-factor', { body }))
    },
    meta: { signsIn: true },
  })
}

/** Lets the pages know who has signed in. */
export function useBegin(): (credential: Credential) => void {
  const queries = useQueryClient()
  return (credential) => {
    queries.setQueryData(sessionQuery.queryKey, sessionOf(credential))
    tellSignIn()
  }
}

/** Fetched at the sign-out: nobody needs it before. */
const loadDrafts = () => lazyFile(() => import('./drafts.ts'))

/** Whoever has the session, also when it allows nothing before a second factor; null when nobody has. */
async function ownerOfDrafts(): Promise<DraftOwner | null> {
  try {
    const { user, tenant } = await answerOf(api.GET('/api/session'))
    return user === null ? null : { tenantId: tenant.id, userId: user.id }
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

/** How many texts of the person who is signed in are on this device alone. */
export async function countUnsaved(): Promise<number> {
  const owner = await ownerOfDrafts()
  return owner === null ? 0 : (await loadDrafts()).countDrafts(owner)
}

/** Signs out, here or everywhere, and erases what this browser keeps of the person. */
export async function endSession(where: 'here' | 'everywhere' = 'here'): Promise<void> {
  const owner = await ownerOfDrafts()
  await answerOf(where === 'here' ? api.DELETE('/api/session') : api.DELETE('/api/session/sessions'))
  tellSignIn()
  forgetPerson()
  if (owner !== null) await (await loadDrafts()).eraseDrafts(owner)
}
