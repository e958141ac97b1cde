import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'
import { isSignedOut } from './queries.ts'
import { tellSignIn } from './signed-in-again.ts'

export type Credential = AnswerOf<'/api/session', 'get'>
/** A person's credential, as every session's is. */
export interface Session {
  readonly user: NonNullable<Credential['user']>
  readonly tenant: Credential['tenant']
  readonly scopes: Credential['scopes']
  /** Step that the organisation demands of the person before any other request. */
  readonly second_factor?: Credential['second_factor']
  readonly factors_reset_at?: Credential['factors_reset_at']
}

/** Asks whose session the browser has. @returns null when no person is signed in */
export async function readSession(): Promise<Session | null> {
  try {
    return sessionOf(await answerOf(api.GET('/api/session')))
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

/** The session of the browser; null when no person is signed in. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession })

/**
 * Returns the session of a credential. Returns null for one that is no person's, and for a person who has to sign in
 * again.
 */
function sessionOf({ user, ...rest }: Credential): Session | null {
  return user === null || rest.second_factor === 'sign_in_again' ? null : { user, ...rest }
}

/** Returns a function that gives the pages, and the other tabs, the session of the person who has signed in. */
export function useBegin(): (credential: Credential) => void {
  const queries = useQueryClient()
  return (credential) => {
    queries.setQueryData(sessionQuery.queryKey, sessionOf(credential))
    tellSignIn()
  }
}
