import type { RoutePlugin } from '../../platform/http/route.ts'
import { Readers, ReadersQuery } from './contract.ts'
import type { ReaderRules } from './rules.ts'

export function readerRoutes(rules: ReaderRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/readers',
      schema: {
        operationId: 'countReaders',
        tags: ['Knowledge entries'],
        summary: 'Count who may read a visibility',
        description:
          'How many active users may read an entry of this visibility, by their roles, and with workspaces by their ' +
          'membership. A level above the ceiling is refused (403), and so is a workspace that the user is no member of, ' +
          'except for administrators. Visitors of web pages and API keys are not counted: a public entry may be read ' +
          'by everybody. The layer changes nothing.',
        querystring: ReadersQuery,
        response: { 200: Readers },
      },
      config: { scopes: ['knowledge:read', 'knowledge:write'] },
      handler: (request) => rules.count(request.caller, request.query),
    })
  }
}
