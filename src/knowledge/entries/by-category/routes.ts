import type { RoutePlugin } from '../../../platform/http/route.ts'
import { ListOf, UuidParams } from '../../../platform/contract/schema.ts'
import { CategoryEntryCount, CategoryMerge, CategoryMerged } from './contract.ts'
import type { EntriesByCategory } from './rules.ts'

const tags = ['Categories']

export function entriesByCategoryRoutes(rules: EntriesByCategory): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/categories/entry-counts',
      schema: {
        operationId: 'countEntriesByCategory',
        tags,
        summary: 'Count the entries of each category',
        description:
          'The entries that the caller may see, of all categories in one answer. A category without any is left out, ' +
          'and entries below a category do not count for it. Memory entries that have expired do not count.',
        response: { 200: ListOf(CategoryEntryCount) },
      },
      config: { scopes: ['knowledge:read'] },
      handler: (request) => rules.count(request.caller),
    })
    app.route({
      method: 'POST',
      url: '/api/knowledge/categories/:category_id/merge',
      schema: {
        operationId: 'mergeCategory',
        tags,
        summary: 'Merge a category into another',
        description:
          'Moves the entries and the categories directly below into another category, then deletes the empty one. ' +
          'Each call is one transaction, which moves at most 500 entries, or about 8 MiB; while `merged` is false, ' +
          'send the request again. Each moved entry gets a new version. Refused with 409, before anything moves, when ' +
          'the category has entries that the caller may not see.',
        params: UuidParams('category_id'),
        body: CategoryMerge,
        response: { 200: CategoryMerged },
      },
      config: {
        scopes: ['knowledge:read', 'knowledge:write', 'categories:write'],
        errors: [404, 409],
        furtherFaults: ({ caller, params, body }) =>
          rules.faultsOfMerge(caller, (params as { category_id: string }).category_id, body),
      },
      handler: (request) => rules.merge(request.caller, request.params.category_id, request.body),
    })
  }
}
