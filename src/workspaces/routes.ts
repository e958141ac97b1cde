import { addCollectionRoutes } from '../collections/routes.ts'
import { MembershipChange } from '../collections/contract.ts'
import type { RoutePlugin } from '../http/route.ts'
import { ListOf, NoContent, UuidParams } from '../http/schema.ts'
import { Workspace, WorkspaceCreate, WorkspaceMember, WorkspaceMembers, WorkspaceUpdate } from './contract.ts'
import type { WorkspaceRules } from './rules.ts'

const tags = ['Workspaces']
const url = '/api/knowledge/workspaces/:workspace_id/members'

export function workspaceRoutes(rules: WorkspaceRules): RoutePlugin {
  return (app) => {
    const contracts = { Collection: Workspace, Create: WorkspaceCreate, Update: WorkspaceUpdate }
    addCollectionRoutes(app, { rules, singular: 'workspace', contracts, writeScope: 'tenant:admin' })
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listWorkspaceMembers',
        tags,
        summary: "List a workspace's members",
        params: UuidParams('workspace_id'),
        response: { 200: ListOf(WorkspaceMember) },
      },
      config: { scopes: ['tenant:admin'], errors: [404] },
      handler: (request) => rules.members(request.caller, request.params.workspace_id),
    })
    app.route({
      method: 'POST',
      url,
      schema: {
        operationId: 'addWorkspaceMembers',
        tags,
        summary: 'Add members to a workspace',
        description: 'Who is there stays; adding twice is fine. One unknown user fails the whole call.',
        params: UuidParams('workspace_id'),
        body: WorkspaceMembers,
        response: { 200: MembershipChange },
      },
      config: { scopes: ['tenant:admin'], errors: [404] },
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
      config: { scopes: ['tenant:admin'], errors: [404] },
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
