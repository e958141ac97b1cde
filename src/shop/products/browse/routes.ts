import { sendPrepared } from '../../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import type { ProductSearchRules } from '../search/search-rules.ts'
import { ProductBrowse, ProductBrowseAnswer } from './contract.ts'

export function productBrowseRoutes(rules: ProductSearchRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/products/browse',
      schema: {
        operationId: 'browseProducts',
        tags: ['Product search'],
        summary: 'Look through all products',
        description:
          'For those who keep the catalogue. Unlike a search it shows every product, variants and what rules of the ' +
          'site hide included, without rules or learnt clicks, however far the page; and nothing is logged. Filter, ' +
          'order, facets and fields are those of the search language.',
        body: ProductBrowse,
        response: { 200: ProductBrowseAnswer },
      },
      config: { scopes: ['products:read'], errors: [507], readsOnly: true },
      handler: async (request, reply) => {
        const answer = await rules.browse(request.caller, request.body)
        return sendPrepared(reply, Buffer.from(JSON.stringify(answer))) as never
      },
    })
  }
}
