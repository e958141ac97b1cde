import type { FastifyRequest } from 'fastify'
import { addCollectionRoutes } from '../collections/routes.ts'
import { MembershipChange } from '../collections/contract.ts'
import { pageIn, PageQuery } from '../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { Workspace, WorkspaceCreate, WorkspaceMember, WorkspaceMembers, WorkspaceUpdate } from './contract.ts'
import type { WorkspaceRules } from './rules.ts'

const tags = ['Workspaces']
const writeMember = compileSerialiser(WorkspaceMember)
const ABOUT =
  'A workspace gathers users. Entries of visibility `workspace` are seen by the members of their `workspace_id` only ' +
  'while the setting `workspaces` of the tenant is on; while it is off, which it is at first, membership plays no part ' +
  'and whoever has the ceiling `workspace` sees them. In this order: `knowledge tenant set workspaces=true` ' +
  'switches it on, `knowledge user list` shows the ids of users, and the routes below make them members. The user of ' +
  'the credential that creates a workspace is its first member; a credential without a user leaves it empty. Names ' +
  'need not be unique.'
const url = '/api/knowledge/workspaces/:workspace_id/members'

export function workspaceRoutes(rules: WorkspaceRules): RoutePlugin {
  const furtherFaults = ({ caller, body }: FastifyRequest) => rules.faultsOfMembers(caller, body)
  return (app) => {
    const contracts = { Collection: Workspace, Create: WorkspaceCreate, Update: WorkspaceUpdate }
    addCollectionRoutes(app, { rules, singular: 'workspace', contracts, writeScope: 'tenant:admin', about: ABOUT })
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listWorkspaceMembers',
        tags,
        summary: "List a workspace's members",
        description: 'By their addresses. The Link header names the next page.',
        params: UuidParams('workspace_id'),
        querystring: PageQuery,
        response: { 200: ListOf(WorkspaceMember) },
      },
      config: { scopes: ['tenant:admin'], errors: [404], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const page = pageIn(request.query, ['string'])
        const { items, next } = await rules.members(request.caller, request.params.workspace_id, page)
        return sendPage(request, reply, { items, next, keyOf: ({ email }) => [email], write: writeMember })
      },
    })
    app.route({
      method: 'POST',
      url,
      schema: {
        operationId: 'addWorkspaceMembers',
        tags,
        summary: 'Add members to a workspace',
        description:
          'Who is there stays; adding twice is fine. One unknown user fails the whole call. `knowledge user list` ' +
          'shows the ids of users. Members count once the setting `workspaces` of the tenant is on.',
        params: UuidParams('workspace_id'),
        body: WorkspaceMembers,
        response: { 200: MembershipChange },
      },
      config: { scopes: ['tenant:admin'], errors: [404], furtherFaults },
      handler: (request) => rules.addMembers(request.caller, request.params.workspace_id, request.body.user_ids),
    })
    app.route({
      method: 'PUT',
      url,
      schema: {
        operationId: 'setWorkspaceMembers',
        tags,
        summary: 'Make a workspace have exactly these members',
        params: UuidParams('workspace_id'),
        body: WorkspaceMembers,
        response: { 200: MembershipChange },
      },
      config: { scopes: ['tenant:admin'], errors: [404], furtherFaults },
      handler: (request) => rules.setMembers(request.caller, request.params.workspace_id, request.body.user_ids),
    })
    app.route({
      method: 'DELETE',
      url: `${url}/:user_id`,
      schema: {
        operationId: 'removeWorkspaceMember',
        tags,
        summary: 'Take a member out of a workspace',
        params: UuidParams('workspace_id', 'user_id'),
        response: { 204: NoContent },
      },
      config: { scopes: ['tenant:admin'], errors: [404] },
      handler: async (request, reply) => {
        await rules.removeMember(request.caller, request.params.workspace_id, request.params.user_id)
        return reply.code(204).send(null)
      },
    })
  }
}
