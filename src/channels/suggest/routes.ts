import type { RoutePlugin } from '../../platform/http/route.ts'
import { SuggestQuery, Suggestions } from './contract.ts'
import type { SuggestRules } from './rules.ts'

export function suggestRoutes(rules: SuggestRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/suggest',
      schema: {
        operationId: 'suggest',
        tags: ['Search'],
        summary: 'Suggest while somebody types',
        description:
          'Completions, brands, categories, products and entries for the typed text, from what the caller may see. A ' +
          'word of four letters or more may be mistyped. Brands and categories say how many of the products found have ' +
          'them. The section products needs the scope products:read, the ' +
          'section knowledge needs knowledge:read. Nothing is logged.',
        querystring: SuggestQuery,
        response: { 200: Suggestions },
      },
      config: { scopes: [], errors: [507] },
      handler: ({ caller, query }) => rules.suggest(caller, query),
    })
  }
}
