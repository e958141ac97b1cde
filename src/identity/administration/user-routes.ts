import { ROLES } from '../../platform/access/scopes.ts'
import { pageIn, PageQuery } from '../../platform/contract/paging.ts'
import { ListOf, NoContent, OneOf, Type, UuidParams } from '../../platform/contract/schema.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { expectedState, withState } from '../../platform/http/answers/etag.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { signInFacts } from '../sessions/routes.ts'
import { ListedUser, UserDetails } from '../users/contract.ts'
import { UserChange } from './contract.ts'
import type { UserAdministration } from './user-rules.ts'

const url = '/api/knowledge/users'
const tags = ['Users']
const scopes = ['tenant:admin'] as const
const params = UuidParams('user_id')
const writeUser = compileSerialiser(ListedUser)
const UserQuery = Type.Object({
  ...PageQuery.properties,
  query: Type.Optional(
    Type.String({ maxLength: 200, description: 'What the name or email address contains, in any case' }),
  ),
  role: Type.Optional(OneOf(ROLES, { description: 'Only users with this role' })),
  disabled: Type.Optional(Type.Boolean({ description: 'true: only disabled users; false: only active ones' })),
  include_details: Type.Optional(
    Type.Boolean({ default: false, description: 'Adds `ceiling`, `created_at` and `disabled_at` to each user' }),
  ),
})

/** Routes for users of the caller's tenant. */
export function userRoutes(administration: UserAdministration): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List the users of the tenant',
        description:
          'Sorted by email address, without people who were erased. `query` searches names and addresses. The Link ' +
          'header names the next page.',
        querystring: UserQuery,
        response: { 200: ListOf(ListedUser) },
      },
      config: { scopes, answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { caller, query } = request
        const { query: words, include_details: withDetails, role, disabled } = query
        const filter = { words, role, disabled, withDetails }
        const { items, next } = await administration.list(caller, pageIn(query, ['string']), filter)
        return sendPage(request, reply, { items, next, keyOf: ({ email }) => [email], write: writeUser })
      },
    })
    app.route({
      method: 'GET',
      url: `${url}/:user_id`,
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'Read a user',
        params,
        response: { 200: UserDetails },
      },
      config: { scopes, errors: [404], answerHeaders: ['ETag'] },
      handler: async (request, reply) => {
        return withState(reply, await administration.read(request.caller, request.params.user_id))
      },
    })
    app.route({
      method: 'PATCH',
      url: `${url}/:user_id`,
      schema: {
        operationId: 'updateUser',
        tags,
        summary: 'Change, disable or enable a user',
        description:
          'Role and ceiling bound the user and all their credentials from the next request on. Of what the user issued, ' +
          'what the new role and ceiling could not issue ends for good. Nobody gives more than ' +
          'they may do themselves, nor changes a user who may do more, and no credential that ends gives somebody more ' +
          'than they had (403). The last active administrator can be neither disabled nor given another role or a ' +
          'lower ceiling (409). Somebody who is enabled again signs in and connects assistants anew. Send If-Match so ' +
          'that you do not overwrite a change by somebody else. A signed-in person confirms by `confirmation` that ' +
          'somebody becomes an administrator, is enabled as one, or sees more as one, else the answer is 403 of type ' +
          '`proof_needed`.',
        params,
        body: UserChange,
        response: { 200: UserDetails },
      },
      config: { scopes, errors: [404, 409, 412], requestHeaders: ['If-Match'], answerHeaders: ['ETag'] },
      handler: async (request, reply) => {
        const { caller, params: at, body, headers } = request
        const expected = expectedState(headers['if-match'])
        return withState(reply, await administration.change(caller, at.user_id, body, signInFacts(request), expected))
      },
    })
    app.route({
      method: 'DELETE',
      url: `${url}/:user_id`,
      schema: {
        operationId: 'eraseUser',
        tags,
        summary: 'Erase a person',
        description:
          'Ends their sessions, grants and keys, deletes their private notes with all versions for good, and replaces ' +
          'their name and address by a pseudonym, in the audit log and as author too. Everything else that they wrote ' +
          'stays. This cannot be undone. The last active administrator cannot be erased (409). Many notes are deleted ' +
          'in steps; after an interruption the service goes on by itself. Send If-Match so that you do not erase ' +
          'somebody who was changed.',
        params,
        response: { 204: NoContent },
      },
      config: { scopes, errors: [404, 409, 412], requestHeaders: ['If-Match'] },
      handler: async (request, reply) => {
        const { caller, params: at, headers } = request
        await administration.erase(caller, at.user_id, expectedState(headers['if-match']))
        return reply.code(204).send(null)
      },
    })
  }
}
