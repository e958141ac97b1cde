import type { FastifyRequest } from 'fastify'
import { addCollectionRoutes } from '../collections/routes.ts'
import { MembershipChange } from '../collections/contract.ts'
import { pageIn } from '../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import {
  Workspace,
  WorkspaceCreate,
  WorkspaceMember,
  WorkspaceMemberQuery,
  WorkspaceMembers,
  WorkspaceUpdate,
} from './contract.ts'
import type { WorkspaceRules } from './rules.ts'

const tags = ['Workspaces']
const writeMember = compileSerialiser(WorkspaceMember)
const ABOUT =
  'A workspace has users as members. With the setting `workspaces` of the tenant switched on, only members see ' +
  'entries of visibility `workspace` with its `workspace_id`. With the setting off, which is the default, everybody ' +
  'with the ceiling `workspace` sees these entries. To begin: switch the setting on with ' +
  '`PATCH /api/knowledge/tenant-settings`, find the ids of users with `GET /api/knowledge/users`, and add members with the routes below. The user ' +
  'of the credential that creates a workspace is its first member; without a user the workspace starts empty. Two ' +
  'workspaces may have the same name.'
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
        description: 'By email address. The Link header names the next page.',
        params: UuidParams('workspace_id'),
        querystring: WorkspaceMemberQuery,
        response: { 200: ListOf(WorkspaceMember) },
      },
      config: { scopes: ['tenant:admin'], errors: [404], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { include_role: withRole = false, ...query } = request.query
        const page = pageIn(query, ['string'])
        const { items, next } = await rules.members(request.caller, request.params.workspace_id, page, withRole)
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
          'Other members stay, and adding a member twice is fine. One unknown user fails the whole call. `knowledge ' +
          'user list` shows the ids of users. Membership takes effect once the setting `workspaces` of the tenant is on.',
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
