import { addCollectionRoutes } from '../collections/routes.ts'
import { MembershipChange } from '../collections/contract.ts'
import type { RoutePlugin } from '../http/route.ts'
import { NoContent, UuidParams } from '../http/schema.ts'
import { Project, ProjectCreate, ProjectEntries, ProjectUpdate } from './contract.ts'
import type { ProjectRules } from './rules.ts'

const tags = ['Projects']
const ABOUT =
  'A project gathers entries across categories; lists and searches of entries take its id as `project_id`. Names need ' +
  'not be unique: the id tells projects apart.'
const url = '/api/knowledge/projects/:project_id/entries'

export function projectRoutes(rules: ProjectRules): RoutePlugin {
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
          'What is there stays; adding twice is fine. One unknown entry fails the whole call. ' +
          '`GET /api/knowledge/knowledge-entries?project_id=` lists the entries of a project.',
        params: UuidParams('project_id'),
        body: ProjectEntries,
        response: { 200: MembershipChange },
      },
      config: { scopes: ['knowledge:write'], errors: [404] },
      handler: (request) => rules.addEntries(request.caller, request.params.project_id, request.body.entry_ids),
    })
    app.route({
      method: 'PUT',
      url,
      schema: {
        operationId: 'setProjectEntries',
        tags,
        summary: 'Make a project hold exactly these entries',
        description: 'As far as the caller sees its entries; others stay.',
        params: UuidParams('project_id'),
        body: ProjectEntries,
        response: { 200: MembershipChange },
      },
      config: { scopes: ['knowledge:write'], errors: [404] },
      handler: (request) => rules.setEntries(request.caller, request.params.project_id, request.body.entry_ids),
    })
    app.route({
      method: 'DELETE',
      url: `${url}/:entry_id`,
      schema: {
        operationId: 'removeProjectEntry',
        tags,
        summary: 'Take an entry out of a project',
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
