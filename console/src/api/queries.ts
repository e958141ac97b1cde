import { QueryClient } from '@tanstack/react-query'
import { ApiFault } from './client.ts'

const RETRIES_MAX = 2
const FRESH_MS = 10_000

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // Requests to the service itself can work while the browser thinks it is offline.
        networkMode: 'always',
        // A refusal stays a refusal; only network and server errors are retried.
        retry: (count, error) => count < RETRIES_MAX && !(error instanceof ApiFault && error.status < 500),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

export const isSignedOut = (error: unknown): boolean => error instanceof ApiFault && error.status === 401
