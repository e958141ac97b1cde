import { sendPrepared } from '../../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { ListOf, UuidParams } from '../../../platform/contract/schema.ts'
import { searchAsAsked } from '../../../platform/http/texts-wanted.ts'
import { SEARCH_REQUEST_HEADERS } from '../../../platform/reference/openapi-headers.ts'
import { searchHeaders } from '../../../search/hits/search-headers.ts'
import {
  EXACT_SEARCH_NUMBERS,
  ProductSearch,
  ProductSearchAnswer,
  SimilarProduct,
  SimilarQuery,
} from './search-contract.ts'
import type { ProductSearchRules } from './search-rules.ts'

const tags = ['Product search']

export function productSearchRoutes(rules: ProductSearchRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/products/search',
      schema: {
        operationId: 'searchProducts',
        tags,
        summary: 'Search products',
        description:
          'By words and by meaning together unless `mode` says otherwise. Except in semantic mode, a query that is a ' +
          'SKU, GTIN or external_id shows its product first, and a misspelt word is replaced by the most similar words ' +
          'that occur. `total` and `facets` count the products with all words of the query; where there are fewer ' +
          'than ten, also those with most of them and those near in meaning.',
        body: ProductSearch,
        response: { 200: ProductSearchAnswer },
      },
      config: {
        scopes: ['products:read'],
        readsOnly: true,
        exactNumbers: EXACT_SEARCH_NUMBERS,
        requestHeaders: SEARCH_REQUEST_HEADERS,
      },
      handler: async (request, reply) => {
        const result = await searchAsAsked(request, reply, (caller) => rules.searchJson(caller, request.body))
        searchHeaders(reply, result)
        return sendPrepared(reply, result.json) as never
      },
    })
    app.route({
      method: 'GET',
      url: '/api/knowledge/products/:product_id/similar',
      schema: {
        operationId: 'listSimilarProducts',
        tags,
        summary: 'Find similar products',
        description:
          'The products of the same site nearest to its similarity text, or nearest in meaning if it has none. Its own ' +
          'parent and variants are left out.',
        params: UuidParams('product_id'),
        querystring: SimilarQuery,
        response: { 200: ListOf(SimilarProduct) },
      },
      config: { scopes: ['products:read'], errors: [404, 507] },
      handler: (request) => rules.similar(request.caller, request.params.product_id, request.query.limit ?? 10),
    })
  }
}
