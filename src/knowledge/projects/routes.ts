import type { FastifyRequest } from 'fastify'
import { mayReadBack } from '../../platform/access/read-back.ts'
import { addCollectionRoutes } from '../collections/routes.ts'
import { MembershipChange } from '../collections/contract.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { Project, ProjectCreate, ProjectEntries, ProjectUpdate } from './contract.ts'
import type { ProjectRules } from './rules.ts'

const tags = ['Projects']
const ABOUT =
  'A project collects entries across categories. Lists and searches of entries take its id as `project_id`. Two ' +
  'projects may have the same name.'
const url = '/api/knowledge/projects/:project_id/entries'

export function projectRoutes(rules: ProjectRules): RoutePlugin {
  const furtherFaults = ({ caller, body }: FastifyRequest) => rules.faultsOfEntries(caller, body)
  return (app) => {
    const contracts = { Collection: Project, Create: ProjectCreate, Update: ProjectUpdate }
    addCollectionRoutes(app, { rules, singular: 'project', contracts, writeScope: 'knowledge:write', about: ABOUT })
    app.route({
      method: 'POST',
      url,
      schema: {
        operationId: 'addProjectEntries',
        tags,
        summary: 'Add entries to a project',
        description:
          'Other entries stay, and adding an entry twice is fine. One unknown entry fails the whole call. Without ' +
          'knowledge:read the answer is 204. ' +
          '`GET /api/knowledge/knowledge-entries?project_id=` lists the entries of a project.',
        params: UuidParams('project_id'),
        body: ProjectEntries,
        response: { 200: MembershipChange, 204: NoContent },
      },
      config: { scopes: ['knowledge:write'], errors: [404], furtherFaults },
      handler: async (request, reply) => {
        const { caller, params, body } = request
        const change = await rules.addEntries(caller, params.project_id, body.entry_ids)
        return mayReadBack(caller) ? change : reply.code(204).send(null)
      },
    })
    app.route({
      method: 'PUT',
      url,
      schema: {
        operationId: 'setProjectEntries',
        tags,
        summary: 'Make a project hold exactly these entries',
        description: 'Entries that the caller may not see stay. Without knowledge:read the answer is 204.',
        params: UuidParams('project_id'),
        body: ProjectEntries,
        response: { 200: MembershipChange, 204: NoContent },
      },
      config: { scopes: ['knowledge:write'], errors: [404], furtherFaults },
      handler: async (request, reply) => {
        const { caller, params, body } = request
        const change = await rules.setEntries(caller, params.project_id, body.entry_ids)
        return mayReadBack(caller) ? change : reply.code(204).send(null)
      },
    })
    app.route({
      method: 'DELETE',
      url: `${url}/:entry_id`,
      schema: {
        operationId: 'removeProjectEntry',
        tags,
        summary: 'Take an entry out of a project',
        description: 'Without knowledge:read the answer is the same for an entry that is not in the project.',
        params: UuidParams('project_id', 'entry_id'),
        response: { 204: NoContent },
      },
      config: { scopes: ['knowledge:write'], errors: [404] },
      handler: async (request, reply) => {
        await rules.removeEntry(request.caller, request.params.project_id, request.params.entry_id)
        return reply.code(204).send(null)
      },
    })
  }
}
