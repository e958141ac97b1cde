import { mayReadBack } from '../../platform/access/read-back.ts'
import { pageIn } from '../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { ListOf, NoContent, type Static, UuidParams } from '../../platform/contract/schema.ts'
import { expectedState, withState } from '../../platform/http/answers/etag.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { Category, CategoryCreate, CategoryListQuery, CategoryMove, CategoryUpdate } from './contract.ts'
import type { CategoryRules } from './rules.ts'
import { placeOf } from './place.ts'

const BASE = '/api/knowledge/categories'
const tags = ['Categories']
const params = UuidParams('category_id')
const writeCategory = compileSerialiser(Category)

export function categoryRoutes(rules: CategoryRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: BASE,
      schema: {
        operationId: 'createCategory',
        tags,
        summary: 'Create a category',
        body: CategoryCreate,
        response: { 201: Category },
      },
      config: {
        scopes: ['categories:write'],
        answerHeaders: ['Location', 'ETag'],
        furtherFaults: ({ caller, body }) => rules.faultsOf(caller, null, body),
      },
      handler: async (request, reply) => {
        const category = await rules.create(request.caller, request.body)
        reply.code(201).header('location', `${BASE}/${category.id}`)
        return withState(reply, category)
      },
    })
    app.route({
      method: 'GET',
      url: BASE,
      schema: {
        operationId: 'listCategories',
        tags,
        summary: 'List categories',
        description:
          'All categories, or the children of one, by sort order, then name. The Link header names the next page.',
        querystring: CategoryListQuery,
        response: { 200: ListOf(Category) },
      },
      config: { scopes: ['knowledge:read'], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const page = pageIn(request.query, ['integer', 'string', 'string'])
        const { items, next } = await rules.list(request.caller, request.query.parent_id ?? null, page)
        return sendPage(request, reply, { items, next, keyOf: placeOf, write: writeCategory })
      },
    })
    app.route({
      method: 'GET',
      url: `${BASE}/:category_id`,
      schema: { operationId: 'getCategory', tags, summary: 'Read a category', params, response: { 200: Category } },
      config: { scopes: ['knowledge:read'], errors: [404], answerHeaders: ['ETag'] },
      handler: async (request, reply) => withState(reply, await rules.read(request.caller, request.params.category_id)),
    })
    app.route({
      method: ['PUT', 'PATCH'],
      url: `${BASE}/:category_id`,
      schema: {
        operationId: 'updateCategory',
        tags,
        summary: 'Change a category',
        description:
          'Only the fields you send change. Send If-Match so that you do not overwrite a change by somebody else. ' +
          'Without knowledge:read the answer is 204, and an If-Match other than `*` is refused (403).',
        params,
        body: CategoryUpdate,
        response: { 200: Category, 204: NoContent },
      },
      config: {
        scopes: ['categories:write'],
        errors: [404, 412],
        requestHeaders: ['If-Match'],
        answerHeaders: ['ETag'],
        furtherFaults: ({ caller, params: at, body }) =>
          rules.faultsOf(caller, (at as Static<typeof params>).category_id, body),
      },
      handler: async (request, reply) => {
        const { caller, params: at, body, headers } = request
        const changed = await rules.update(caller, at.category_id, body, expectedState(headers['if-match']))
        return mayReadBack(caller) ? withState(reply, changed) : reply.code(204).send(null)
      },
    })
    app.route({
      method: 'POST',
      url: `${BASE}/:category_id/move`,
      schema: {
        operationId: 'moveCategory',
        tags,
        summary: 'Move a category among others',
        description:
          'With everything below it, before a sibling or behind the last one, in one step. The order of the others ' +
          'stays, whatever sort order they have. When somebody has moved the sibling away, nothing moves (409). Without ' +
          'knowledge:read the answer is 204.',
        params,
        body: CategoryMove,
        response: { 200: Category, 204: NoContent },
      },
      config: {
        scopes: ['categories:write'],
        errors: [404, 409],
        answerHeaders: ['ETag'],
        furtherFaults: ({ caller, params: at, body }) =>
          rules.faultsOf(caller, (at as Static<typeof params>).category_id, body),
      },
      handler: async (request, reply) => {
        const moved = await rules.move(request.caller, request.params.category_id, request.body)
        return mayReadBack(request.caller) ? withState(reply, moved) : reply.code(204).send(null)
      },
    })
    app.route({
      method: 'DELETE',
      url: `${BASE}/:category_id`,
      schema: {
        operationId: 'deleteCategory',
        tags,
        summary: 'Delete an empty category',
        description:
          'Send If-Match so that you do not delete a changed category. A value other than `*` needs knowledge:read.',
        params,
        response: { 204: NoContent },
      },
      config: { scopes: ['categories:write'], errors: [404, 409, 412], requestHeaders: ['If-Match'] },
      handler: async (request, reply) => {
        const { caller, params: at, headers } = request
        await rules.remove(caller, at.category_id, expectedState(headers['if-match']))
        return reply.code(204).send(null)
      },
    })
  }
}
