import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api, ApiFault } from '../../api/client.ts'
import { type InsightsChoices, DEFAULT_DAYS, LIST } from './choices.ts'

export type Analytics = AnswerOf<'/api/knowledge/analytics/search', 'get'>
export type Figures = Analytics['total']
export type QueryFigures = Analytics['top_queries'][number]
export type Learnt = AnswerOf<'/api/knowledge/learning', 'get'>

const DAY_MS = 86_400_000

/** Returns the first moment of whole days (UTC) that end with today, in ms. */
function startOf(days: number): number {
  return (Math.floor(Date.now() / DAY_MS) - days + 1) * DAY_MS
}

type Range = Pick<InsightsChoices, 'days' | 'site' | 'section' | 'all'>

const ask = (range: Range, from: number, to: number, limit: number, signal: AbortSignal) =>
  answerOf(
    api.GET('/api/knowledge/analytics/search', {
      signal,
      params: {
        query: {
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          limit,
          ...(range.site === undefined ? {} : { site_id: range.site }),
          ...(range.section === undefined ? {} : { section: range.section }),
        },
      },
    }),
  )

/** Returns the query for the figures of the chosen days, of which the last is today. */
export const analyticsQuery = ({ days = DEFAULT_DAYS, site, section, all }: Range) =>
  queryOptions({
    queryKey: ['analytics', { days, site, section, all }],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask({ site, section }, startOf(days), Date.now(), all === true ? LIST.whole : LIST.short, signal),
  })

/** Returns the query for the sums of the same number of days before those, for comparing. */
export const beforeQuery = ({ days = DEFAULT_DAYS, site, section }: Range) =>
  queryOptions({
    queryKey: ['analytics', 'before', { days, site, section }],
    queryFn: async ({ signal }): Promise<Figures> => {
      const start = startOf(days)
      // The earlier days end at the same time of day as now, so that half a day is not compared with a whole one.
      const passed = Date.now() - start
      return (await ask({ site, section }, start - days * DAY_MS, start - days * DAY_MS + passed, 1, signal)).total
    },
  })

/**
 * Returns the query for the title of an entry or product; null when it is gone, or above what the reader may see. Its
 * id is as the client sent it with the click.
 */
export const titleQuery = (section: string, id: string) =>
  queryOptions({
    queryKey: ['titles', section, id],
    queryFn: async ({ signal }): Promise<string | null> => {
      const { data, response } = await (section === 'products'
        ? api.GET('/api/knowledge/products/{product_id}', { signal, params: { path: { product_id: id } } })
        : api.GET('/api/knowledge/knowledge-entries/{entry_id}', { signal, params: { path: { entry_id: id } } }))
      if (response.status >= 500) throw new ApiFault(response, [])
      return data?.title ?? null
    },
  })

/** Returns the query for the products that clicks have moved for a search. */
export const learntQuery = (query: string, site: string | undefined) =>
  queryOptions({
    queryKey: ['learnt', { query, site }],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/learning', {
          signal,
          params: { query: { query, ...(site === undefined ? {} : { site_id: site }) } },
        }),
      ),
  })

/** Returns the query for the searches for which clicks have moved products, the strongest first. */
export const learntQueriesQuery = (site: string | undefined) =>
  queryOptions({
    queryKey: ['learnt', 'queries', { site }],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/learning/queries', {
          signal,
          params: { query: site === undefined ? {} : { site_id: site } },
        }),
      ),
  })

/** Computes the effects of clicks now, without waiting for the hourly run. */
export function useLearnNow() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => answerOf(api.POST('/api/knowledge/learning')),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['learnt'] }),
  })
}
