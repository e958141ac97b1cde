import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, api, everyPage } from './client.ts'

export type Site = AnswerOf<'/api/knowledge/sites', 'get'>[number]

export const listSites = (signal: AbortSignal): Promise<Site[]> =>
  everyPage((query) => api.GET('/api/knowledge/sites', { signal, params: { query } }))

/** The sites of the tenant. */
export const sitesQuery = queryOptions({ queryKey: ['sites'], queryFn: ({ signal }) => listSites(signal) })
