import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { UserSession, UserSignIn } from './contract.ts'
import type { SignInStatus } from './sign-in-status-rules.ts'

const url = '/api/knowledge/users/:user_id'
const tags = ['Users']
const scopes = ['tenant:admin'] as const
const params = UuidParams('user_id')

/** Routes that show how and where a user signs in, and that sign the user out. */
export function signInStatusRoutes(rules: SignInStatus): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: `${url}/sign-in`,
      schema: {
        operationId: 'getUserSignIn',
        tags,
        summary: 'See what a user signs in with',
        params,
        response: { 200: UserSignIn },
      },
      config: { scopes, errors: [404] },
      handler: (request) => rules.read(request.caller, request.params.user_id),
    })
    app.route({
      method: 'GET',
      url: `${url}/sessions`,
      schema: {
        operationId: 'listUserSessions',
        tags,
        summary: 'List the sessions of a user',
        description: 'Where the user is signed in, newest first.',
        params,
        response: { 200: ListOf(UserSession) },
      },
      config: { scopes, errors: [404] },
      handler: (request) => rules.sessions(request.caller, request.params.user_id),
    })
    app.route({
      method: 'DELETE',
      url: `${url}/sessions`,
      schema: {
        operationId: 'endUserSessions',
        tags,
        summary: 'Sign a user out everywhere',
        description:
          'Ends all sessions of the user, who may sign in again; keys and connected applications go on. Nobody does ' +
          'this to a user who may do more (403).',
        params,
        response: { 204: NoContent },
      },
      config: { scopes, errors: [404] },
      handler: async (request, reply) => {
        await rules.endSessions(request.caller, request.params.user_id)
        return reply.code(204).send(null)
      },
    })
  }
}
