import { ListOf, UuidParams } from '../../../platform/contract/schema.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import { sendAll } from '../../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { CategoryCount, CategoryMerge, CategoryMerged } from './contract.ts'
import type { CategoryCountRules } from './count-rules.ts'
import type { CategoryMergeRules } from './merge-rules.ts'

const BASE = '/api/knowledge/categories'
const tags = ['Categories']
const writeCount = compileSerialiser(CategoryCount)

/** Returns the routes of categories that concern the entries in them. */
export function entriesByCategoryRoutes(counting: CategoryCountRules, merging: CategoryMergeRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: `${BASE}/counts`,
      schema: {
        operationId: 'countEntriesByCategory',
        tags,
        summary: 'How many entries are in each category',
        description:
          'Of the entries that a list shows the caller, in any order. Categories that have none in their subtree are ' +
          'left out. One answer for the whole tree.',
        response: { 200: ListOf(CategoryCount) },
      },
      config: { scopes: ['knowledge:read'] },
      handler: async (request, reply) => {
        const items = await counting.counts(request.caller)
        return sendAll(request, reply, { items, write: writeCount })
      },
    })
    app.route({
      method: 'POST',
      url: `${BASE}/:category_id/merge`,
      schema: {
        operationId: 'mergeCategory',
        tags,
        summary: 'Merge a category into another',
        description:
          'Its entries, also those above the ceiling of the caller, and the categories below it go into the other one, ' +
          'and it is deleted. Each call is one transaction and moves at most 500 entries; send it again until `done` is ' +
          'true. Entries get a new version. Those in the bin stay with the category that is gone.',
        params: UuidParams('category_id'),
        body: CategoryMerge,
        response: { 200: CategoryMerged },
      },
      config: { scopes: ['categories:write', 'knowledge:write'], errors: [404] },
      handler: ({ caller, params, body }) => merging.merge(caller, params.category_id, body.into_id),
    })
  }
}
