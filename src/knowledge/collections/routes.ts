import { mayReadBack } from '../../platform/access/read-back.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import { pageIn, PageQuery } from '../../platform/contract/paging.ts'
import type { HttpApp } from '../../platform/http/route.ts'
import { ListOf, NoContent, type TSchema, UuidParams } from '../../platform/contract/schema.ts'
import { expectedState, withState } from '../../platform/http/answers/etag.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import type { Collection, CollectionCreate, CollectionUpdate } from './contract.ts'
import type { CollectionRules } from './rules.ts'
import { placeOf } from './place.ts'

interface CollectionRouteOptions {
  readonly rules: CollectionRules
  readonly singular: 'project' | 'workspace'
  readonly contracts: { readonly Collection: TSchema; readonly Create: TSchema; readonly Update: TSchema }
  readonly writeScope: Scope
  /** Description of the route that creates a project or workspace. */
  readonly about: string
}

/** Adds the routes to create, list, read, change and delete projects or workspaces. */
export function addCollectionRoutes(
  app: HttpApp,
  { rules, singular, contracts, writeScope, about }: CollectionRouteOptions,
): void {
  const base = `/api/knowledge/${singular}s`
  const name = singular === 'project' ? 'Project' : 'Workspace'
  const tags = [`${name}s`]
  const idName = `${singular}_id` as const
  const params = UuidParams(idName)
  const write = compileSerialiser(contracts.Collection)
  const idOf = (request: { params: unknown }): string => (request.params as Record<string, string>)[idName]

  app.route({
    method: 'POST',
    url: base,
    schema: {
      operationId: `create${name}`,
      tags,
      summary: `Create a ${singular}`,
      description: about,
      body: contracts.Create,
      response: { 201: contracts.Collection },
    },
    config: { scopes: [writeScope], answerHeaders: ['Location', 'ETag'] },
    handler: async (request, reply) => {
      const collection = await rules.create(request.caller, request.body as CollectionCreate)
      reply.code(201).header('location', `${base}/${collection.id}`)
      return withState(reply, collection)
    },
  })
  app.route({
    method: 'GET',
    url: base,
    schema: {
      operationId: `list${name}s`,
      tags,
      summary: `List ${singular}s by name`,
      description: 'The Link header names the next page.',
      querystring: PageQuery,
      response: { 200: ListOf(contracts.Collection) },
    },
    config: { scopes: ['knowledge:read'], answerHeaders: ['Link'] },
    handler: async (request, reply) => {
      const { items, next } = await rules.list(request.caller, pageIn(request.query, ['string', 'string']))
      return sendPage(request, reply, { items, next, keyOf: placeOf, write })
    },
  })
  app.route({
    method: 'GET',
    url: `${base}/:${idName}`,
    schema: {
      operationId: `get${name}`,
      tags,
      summary: `Read a ${singular}`,
      params,
      response: { 200: contracts.Collection },
    },
    config: { scopes: ['knowledge:read'], errors: [404], answerHeaders: ['ETag'] },
    handler: async (request, reply): Promise<Collection> =>
      withState(reply, await rules.read(request.caller, idOf(request))),
  })
  app.route({
    method: ['PUT', 'PATCH'],
    url: `${base}/:${idName}`,
    schema: {
      operationId: `update${name}`,
      tags,
      summary: `Change a ${singular}`,
      description:
        'Only the fields you send change. Send If-Match so that you do not overwrite a change by somebody else. ' +
        'Without knowledge:read the answer is 204, and an If-Match other than `*` is refused (403).',
      params,
      body: contracts.Update,
      response: { 200: contracts.Collection, 204: NoContent },
    },
    config: { scopes: [writeScope], errors: [404, 412], requestHeaders: ['If-Match'], answerHeaders: ['ETag'] },
    handler: async (request, reply) => {
      const { caller, body, headers } = request
      const expected = expectedState(headers['if-match'])
      const changed = await rules.update(caller, idOf(request), body as CollectionUpdate, expected)
      return mayReadBack(caller) ? withState(reply, changed) : reply.code(204).send(null)
    },
  })
  app.route({
    method: 'DELETE',
    url: `${base}/:${idName}`,
    schema: {
      operationId: `delete${name}`,
      tags,
      summary: `Delete a ${singular}`,
      description: `Send If-Match so that you do not delete a changed ${singular}. A value other than \`*\` needs knowledge:read.`,
      params,
      response: { 204: NoContent },
    },
    config: {
      scopes: [writeScope],
      errors: singular === 'workspace' ? [404, 409, 412] : [404, 412],
      requestHeaders: ['If-Match'],
    },
    handler: async (request, reply) => {
      await rules.remove(request.caller, idOf(request), expectedState(request.headers['if-match']))
      return reply.code(204).send(null)
    },
  })
}
