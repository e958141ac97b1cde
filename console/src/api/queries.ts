import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFault } from './client.ts'

const RETRIES_MAX = 2
const FRESH_MS = 10_000

/** @param onSignedOut called when an answer says that the session has ended */
export function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: Error): void => {
    // The sign-in leads on to where a second factor is set up.
    if (isSignedOut(error) || isFactorNeeded(error)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, { meta }) => {
        // A wrong password is a 401 too, but must not leave the form.
        if (meta?.signsIn !== true) onError(error)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A refusal stays a refusal; only network and server errors are retried.
        retry: (count, error) => count < RETRIES_MAX && !(error instanceof ApiFault && error.status < 500),
      },
    },
  })
}

/** Whether the organisation has begun to demand a second factor. */
const isFactorNeeded = (error: unknown): boolean => error instanceof ApiFault && error.is('second_factor_needed')

export const isSignedOut = (error: unknown): boolean => error instanceof ApiFault && error.status === 401
