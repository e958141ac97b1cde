import type { RoutePlugin } from '../../platform/http/route.ts'
import { searchHeaders } from '../../search/search-headers.ts'
import { CombinedAnswer, CombinedSearch } from './contract.ts'
import type { CombinedSearchRules } from './rules.ts'

export function combinedSearchRoutes(rules: CombinedSearchRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/search',
      schema: {
        operationId: 'search',
        tags: ['Search'],
        summary: 'Search products and knowledge together',
        description:
          'For one search box over everything. The section products needs the scope products:read, the section ' +
          'knowledge needs knowledge:read. Each section has the hits of its own search route.',
        body: CombinedSearch,
        response: { 200: CombinedAnswer },
      },
      config: { scopes: [], readsOnly: true },
      handler: async (request, reply) => {
        const { answer, facts } = await rules.search(request.caller, request.body)
        searchHeaders(reply, facts)
        return answer
      },
    })
  }
}
