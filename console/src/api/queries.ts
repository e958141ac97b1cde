import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFault, TooSlow } from './client.ts'

const RETRIES_MAX = 2
const FRESH_MS = 10_000

/**
 * Makes the cache of queries for all pages.
 * @param onFactorNeeded called when the organisation has begun to demand a second factor that the person lacks
 */
export function createQueries(onFactorNeeded: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof ApiFault && error.is('second_factor_needed')) onFactorNeeded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // Requests to the service itself can work while the browser thinks it is offline.
        networkMode: 'always',
        // A refusal stays a refusal; only network and server errors are retried. After a time limit the person has
        // waited long enough, so the page says so at once.
        retry: (count, error) =>
          count < RETRIES_MAX && !(error instanceof TooSlow) && !(error instanceof ApiFault && error.status < 500),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

export const isSignedOut = (error: unknown): boolean => error instanceof ApiFault && error.status === 401
