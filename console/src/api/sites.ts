import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api, everyPage } from './client.ts'
import type { components } from './schema.d.ts'

export type Site = AnswerOf<'/api/knowledge/sites', 'get'>[number]

export const listSites = (signal: AbortSignal): Promise<Site[]> =>
  everyPage((query) => api.GET('/api/knowledge/sites', { signal, params: { query } }))

/** The sites of the tenant. */
export const sitesQuery = queryOptions({ queryKey: ['sites'], queryFn: ({ signal }) => listSites(signal) })

export const createSite = (body: components['schemas']['SiteCreate']): Promise<Site> =>
  answerOf(api.POST('/api/knowledge/sites', { body }))

export const updateSite = (id: string, body: components['schemas']['SiteUpdate']): Promise<Site> =>
  answerOf(api.PATCH('/api/knowledge/sites/{site_id}', { params: { path: { site_id: id } }, body }))
