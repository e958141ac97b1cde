import type { RoutePlugin } from '../../platform/http/route.ts'
import { ClickAccepted, SearchAnalytics, SearchAnalyticsQuery, SearchClick } from './contract.ts'
import type { AnalyticsRules } from './rules.ts'
import type { SearchLog } from '../search-log/search-log.ts'

const tags = ['Search log']

/** Routes to log clicks, and to read the figures of searches. */
export function clickRoutes(log: SearchLog, analytics: AnalyticsRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/search/clicks',
      schema: {
        operationId: 'logSearchClick',
        tags,
        summary: 'Log what a user did with a search result',
        description:
          'Best effort: the service accepts an unknown search or product too, and hides trouble with storage.',
        body: SearchClick,
        response: { 202: ClickAccepted },
      },
      config: { scopes: ['search:log'], bestEffort: true },
      handler: async (request, reply) => {
        log.click(request.caller, request.body, request.ip)
        reply.code(202)
        return { accepted: true as const }
      },
    })
    app.route({
      method: 'GET',
      url: '/api/knowledge/analytics/search',
      schema: {
        operationId: 'getSearchAnalytics',
        tags,
        summary: 'Read what people search for, find and click',
        description:
          'Searches and clicks show up within about a second. See docs/how-it-works/learning.md for the figures.',
        querystring: SearchAnalyticsQuery,
        response: { 200: SearchAnalytics },
      },
      config: { scopes: ['analytics:read'] },
      handler: (request) => analytics.read(request.caller, request.query),
    })
  }
}
