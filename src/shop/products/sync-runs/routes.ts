import { pageIn, PageQuery } from '../../../platform/contract/paging.ts'
import { ListOf, UuidParams } from '../../../platform/contract/schema.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import { sendPage } from '../../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { ProductSyncRun } from './contract.ts'
import type { ProductSyncRunRules } from './rules.ts'

const writeRun = compileSerialiser(ProductSyncRun)

export function productSyncRunRoutes(rules: ProductSyncRunRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/sites/:site_id/sync-runs',
      schema: {
        operationId: 'listProductSyncRuns',
        tags: ['Products'],
        summary: "List a site's sync runs",
        description:
          'Pushes of products by `/products/bulk` and `import-products`, newest first, each with who pushed and what it ' +
          'changed. Dry runs change nothing and are not listed. A site keeps the newest 500 full syncs and the newest ' +
          '500 other pushes.',
        params: UuidParams('site_id'),
        querystring: PageQuery,
        response: { 200: ListOf(ProductSyncRun) },
      },
      config: { scopes: ['products:write'], errors: [404], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { limit, after } = pageIn(request.query, ['string'])
        const place = { limit, after: after === null ? null : after[0] }
        const { items, next } = await rules.list(request.caller, request.params.site_id, place)
        return sendPage(request, reply, {
          items,
          next: next === null ? null : [next],
          keyOf: ({ id }) => [id],
          write: writeRun,
        })
      },
    })
  }
}
