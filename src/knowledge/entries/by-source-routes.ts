import { NoContent } from '../../platform/contract/schema.ts'
import { expectedVersion, withVersion } from '../../platform/http/answers/etag.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { Entry, EntrySourceQuery } from './contract.ts'
import type { EntryRules } from './rules.ts'

const PATH = '/api/knowledge/knowledge-entries/by-source'
const tags = ['Knowledge entries']

/** Returns the routes of entries by their source reference, for programs that store no ids of entries. */
export function bySourceRoutes(rules: EntryRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: PATH,
      schema: {
        operationId: 'getEntryBySource',
        tags,
        summary: 'Read the entry with a source reference',
        description: 'If several have it, the oldest. The list takes the same two filters and has all of them.',
        querystring: EntrySourceQuery,
        response: { 200: Entry },
      },
      config: { scopes: ['knowledge:read'], errors: [404], answerHeaders: ['ETag'] },
      handler: async (request, reply) => {
        return withVersion(reply, await rules.readBySource(request.caller, request.query))
      },
    })
    app.route({
      method: 'DELETE',
      url: PATH,
      schema: {
        operationId: 'removeEntryBySource',
        tags,
        summary: 'Delete the entry with a source reference',
        description:
          'If several have it, none is deleted (409): delete them by id, or in bulk by the same filters. It needs ' +
          'knowledge:read too, because the answer tells whether there is one.',
        querystring: EntrySourceQuery,
        response: { 204: NoContent },
      },
      config: {
        scopes: ['knowledge:read', 'knowledge:delete'],
        errors: [404, 409, 412],
        requestHeaders: ['If-Match'],
      },
      handler: async (request, reply) => {
        await rules.removeBySource(request.caller, request.query, expectedVersion(request.headers['if-match']))
        return reply.code(204).send(null)
      },
    })
  }
}
