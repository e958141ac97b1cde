import { UuidParams } from '../../platform/contract/schema.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { HandOver, UserAccess, UserAccessQuery } from './contract.ts'
import type { UserAccessRules } from './user-access-rules.ts'

const url = '/api/knowledge/users/:user_id/access'
const tags = ['Users']
const params = UuidParams('user_id')
const config = { scopes: ['tenant:admin'], errors: [404] } as const

/** Routes for the keys and OAuth clients that end with a user. */
export function userAccessRoutes(rules: UserAccessRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'getUserAccess',
        tags,
        summary: 'List what ends with a user',
        description:
          'The keys and OAuth clients in force that exist through the user. They end when the user is disabled or ' +
          'erased, unless they are handed over first. With `role` or `ceiling`: those that end, or lose a scope, by ' +
          'this change of the user.',
        params,
        querystring: UserAccessQuery,
        response: { 200: UserAccess },
      },
      config,
      handler: (request) => rules.read(request.caller, request.params.user_id, request.query),
    })
    app.route({
      method: 'POST',
      url: `${url}/hand-over`,
      schema: {
        operationId: 'handOverUserAccess',
        tags,
        summary: 'Hand keys and OAuth clients over to another user',
        description:
          'They go on unchanged and end with the other user from now on. The user’s own keys act in the user’s name and ' +
          'cannot be handed over. The answer has what still ends with the user.',
        params,
        body: HandOver,
        response: { 200: UserAccess },
      },
      config,
      handler: (request) => rules.handOver(request.caller, request.params.user_id, request.body),
    })
  }
}
