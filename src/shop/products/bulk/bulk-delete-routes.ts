import type { Static } from '../../../platform/contract/schema.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { ProductWriteQuery } from '../contract.ts'
import { ProductBulkDelete, ProductBulkDeleted } from './bulk-delete-contract.ts'
import type { ProductBulkDeleteRules } from './bulk-delete-rules.ts'

export function productBulkDeleteRoutes(rules: ProductBulkDeleteRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/products/bulk-delete',
      schema: {
        operationId: 'bulkDeleteProducts',
        tags: ['Products'],
        summary: 'Delete many products',
        description:
          'Deletes the products of the site with these external_ids, in one transaction, and says of each what became ' +
          'of it. One that does not exist, or that a full sync retired, is `not_found` and keeps nothing else from ' +
          'being deleted. Variants of a deleted product stay, as with DELETE.',
        querystring: ProductWriteQuery,
        body: ProductBulkDelete,
        response: { 200: ProductBulkDeleted },
      },
      config: {
        scopes: ['products:write'],
        furtherFaults: ({ caller, query }) =>
          rules.faultsOf(caller, (query as Static<typeof ProductWriteQuery>).site_id),
      },
      handler: (request) => rules.remove(request.caller, request.query.site_id, request.body),
    })
  }
}
