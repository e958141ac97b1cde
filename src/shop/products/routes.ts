import type { FastifyReply } from 'fastify'
import { newestPageIn } from '../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { expectedVersion, withTag } from '../../platform/http/answers/etag.ts'
import { sendNewest } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { ListOf, NoContent, type Static, Type, UuidParams } from '../../platform/contract/schema.ts'
import { clearedHeader } from './cleared.ts'
import { EXACT_NUMBERS, Product, ProductListQuery, ProductWrite, ProductWriteQuery, WholeProduct } from './contract.ts'
import { ProductPatch } from './patch-contract.ts'
import { type PatchTarget, type ProductRules, tagOf, type WriteOutcome } from './rules.ts'

const BASE = '/api/knowledge/products'
const tags = ['Products']
const params = UuidParams('product_id')
const writeProduct = compileSerialiser(Product)

const ExternalIdParams = Type.Object({
  external_id: Type.String({ description: 'Percent-encoded, as `a%2Fb` for `a/b`' }),
})
type NamedProduct = Static<typeof ExternalIdParams>

const PATCH_DESCRIPTION =
  'A JSON merge patch (RFC 7396), as application/merge-patch+json or application/json: only the fields that you send ' +
  'change, and null clears a field. If nothing changes, the answer has the header `X-Sync: unchanged`. The source of the ' +
  'product stays as it is, and without a `sync_hash` that of the product is cleared, so that the next feed looks at all ' +
  'of it. Send If-Match so that you do not overwrite a change by somebody else; a value other than `*` needs ' +
  'products:read.'

export function productRoutes(rules: ProductRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: BASE,
      schema: {
        operationId: 'upsertProduct',
        tags,
        summary: 'Create or upsert a product',
        description:
          'If the site already has a product with the external_id, that product is replaced: absent fields get their ' +
          'defaults. If nothing is new, for instance because the sync_hash is that of the last sync, only ' +
          'last_synced_at changes, and the answer has the header `X-Sync: unchanged`. Fields that had a value and are ' +
          'empty now are named in `X-Cleared`; PATCH changes what you send alone. Send If-Match so that you do ' +
          'not overwrite a change by somebody else; a value other than `*` needs products:read.',
        querystring: ProductWriteQuery,
        body: ProductWrite,
        response: { 200: WholeProduct, 201: WholeProduct },
      },
      config: {
        scopes: ['products:write'],
        exactNumbers: EXACT_NUMBERS,
        errors: [412],
        requestHeaders: ['If-Match'],
        answerHeaders: ['ETag', 'Location', 'X-Sync', 'X-Cleared', 'X-Watermark'],
        furtherFaults: ({ caller, query, body }) =>
          rules.faultsOfUpsert(caller, (query as Static<typeof ProductWriteQuery>).site_id, body),
      },
      handler: async (request, reply) => {
        const expected = expectedVersion(request.headers['if-match'])
        const { status, cleared, product } = await rules.upsert(
          request.caller,
          request.query.site_id,
          request.body,
          expected,
        )
        if (status === 'created') reply.code(201).header('location', `${BASE}/${product.id}`)
        if (status === 'unchanged') reply.header('x-sync', status)
        if (cleared.length > 0) reply.header('x-cleared', clearedHeader(cleared))
        return withTag(reply, tagOf(product), product)
      },
    })
    app.route({
      method: 'GET',
      url: BASE,
      schema: {
        operationId: 'listProducts',
        tags,
        summary: 'List products',
        description:
          'Newest first. If there are more, the Link header names the next page. Following it neither misses nor ' +
          'repeats a product. A page ends early once its text or its JSON reaches about 8 MiB.',
        querystring: ProductListQuery,
        response: { 200: ListOf(Product) },
      },
      config: { scopes: ['products:read'], answerHeaders: ['Link', 'X-Total-Count'] },
      handler: async (request, reply) => {
        const { query } = request
        const { products, next, total } = await rules.list(request.caller, query, newestPageIn(query))
        if (total !== null) reply.header('x-total-count', String(total))
        return sendNewest(request, reply, { items: products, next, write: writeProduct })
      },
    })
    app.route({
      method: 'GET',
      url: `${BASE}/:product_id`,
      schema: { operationId: 'getProduct', tags, summary: 'Read a product', params, response: { 200: WholeProduct } },
      config: { scopes: ['products:read'], errors: [404], answerHeaders: ['ETag'] },
      handler: async (request, reply) => {
        const product = await rules.read(request.caller, request.params.product_id)
        return withTag(reply, tagOf(product), product)
      },
    })
    const patchRoute = {
      method: 'PATCH',
      config: {
        scopes: ['products:write'],
        exactNumbers: EXACT_NUMBERS,
        mergePatch: true,
        errors: [404, 412],
        requestHeaders: ['If-Match'],
        answerHeaders: ['ETag', 'X-Sync', 'X-Watermark'],
      },
    } as const
    app.route({
      ...patchRoute,
      url: `${BASE}/:product_id`,
      schema: {
        operationId: 'patchProduct',
        tags,
        summary: 'Change a product in part',
        description: PATCH_DESCRIPTION,
        params,
        body: ProductPatch,
        response: { 200: WholeProduct },
      },
      config: {
        ...patchRoute.config,
        furtherFaults: ({ caller, params: at, body }) =>
          rules.faultsOfPatch(caller, { id: (at as Static<typeof params>).product_id }, body),
      },
      handler: async (request, reply) => {
        const target = { id: request.params.product_id }
        const expected = expectedVersion(request.headers['if-match'])
        return sendPatched(reply, await rules.patch(request.caller, target, request.body, expected))
      },
    })
    app.route({
      ...patchRoute,
      url: `${BASE}/by-external-id/:external_id`,
      schema: {
        operationId: 'patchProductByExternalId',
        tags,
        summary: 'Change the product with an external_id in part',
        description: `For programs that store no ids of products. ${PATCH_DESCRIPTION}`,
        params: ExternalIdParams,
        querystring: ProductWriteQuery,
        body: ProductPatch,
        response: { 200: WholeProduct },
      },
      config: {
        ...patchRoute.config,
        furtherFaults: ({ caller, params: at, query, body }) =>
          rules.faultsOfPatch(caller, namedBy(at as NamedProduct, query as Static<typeof ProductWriteQuery>), body),
      },
      handler: async (request, reply) => {
        const target = namedBy(request.params, request.query)
        const expected = expectedVersion(request.headers['if-match'])
        return sendPatched(reply, await rules.patch(request.caller, target, request.body, expected))
      },
    })
    app.route({
      method: 'DELETE',
      url: `${BASE}/:product_id`,
      schema: {
        operationId: 'deleteProduct',
        tags,
        summary: 'Delete a product',
        description:
          'Its variants stay. They get a parent again when a product with the same external_id arrives. Send If-Match ' +
          'so that you do not delete a changed product; a value other than `*` needs products:read.',
        params,
        response: { 204: NoContent },
      },
      config: { scopes: ['products:write'], errors: [404, 412], requestHeaders: ['If-Match'] },
      handler: async (request, reply) => {
        const expected = expectedVersion(request.headers['if-match'])
        await rules.remove(request.caller, request.params.product_id, expected)
        return reply.code(204).send(null)
      },
    })
  }
}

function namedBy(
  { external_id: externalId }: NamedProduct,
  { site_id: site }: Static<typeof ProductWriteQuery>,
): PatchTarget {
  return { site, externalId }
}

function sendPatched(reply: FastifyReply, { status, product }: WriteOutcome): WholeProduct {
  if (status === 'unchanged') reply.header('x-sync', status)
  return withTag(reply, tagOf(product), product)
}
