import type { FastifyRequest } from 'fastify'
import { Entry } from '../../knowledge/entries/contract.ts'
import { sendEntries } from '../../knowledge/entries/lists/send-entries.ts'
import { newestPageIn, PageQuery } from '../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { SiteKnowledge, SiteKnowledgeChange } from './contract.ts'
import type { SiteKnowledgeRules } from './knowledge-rules.ts'

const url = '/api/knowledge/sites/:site_id/knowledge'
const tags = ['Sites']
const params = UuidParams('site_id')

export function siteKnowledgeRoutes(rules: SiteKnowledgeRules): RoutePlugin {
  const furtherFaults = ({ caller, body }: FastifyRequest) => rules.faultsOf(caller, body)
  return (app) => {
    app.route({
      method: 'POST',
      url,
      schema: {
        operationId: 'addSiteKnowledge',
        tags,
        summary: 'Add entries to a site',
        description: 'Other entries stay, and adding an entry twice is fine. One unknown entry fails the whole call.',
        params,
        body: SiteKnowledge,
        response: { 200: SiteKnowledgeChange },
      },
      config: { scopes: ['sites:write'], errors: [404], furtherFaults },
      handler: (request) => rules.add(request.caller, request.params.site_id, request.body.entry_ids),
    })
    app.route({
      method: 'PUT',
      url,
      schema: {
        operationId: 'setSiteKnowledge',
        tags,
        summary: 'Make a site show exactly these entries',
        description: 'The site then has exactly these entries. Entries that the caller may not see stay.',
        params,
        body: SiteKnowledge,
        response: { 200: SiteKnowledgeChange },
      },
      config: { scopes: ['sites:write'], errors: [404], furtherFaults },
      handler: (request) => rules.set(request.caller, request.params.site_id, request.body.entry_ids),
    })
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listSiteKnowledge',
        tags,
        summary: "List a site's entries",
        description:
          'The entries that the caller may see, newest first. The Link header names the next page. A page ends early ' +
          'once its text or its JSON reaches about 8 MiB.',
        params,
        querystring: PageQuery,
        response: { 200: ListOf(Entry) },
      },
      config: { scopes: ['sites:read', 'knowledge:read'], errors: [404], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { caller, params: at, query } = request
        const { entries, next } = await rules.list(caller, at.site_id, newestPageIn(query))
        return sendEntries(request, reply, entries, next)
      },
    })
    app.route({
      method: 'DELETE',
      url,
      schema: {
        operationId: 'clearSiteKnowledge',
        tags,
        summary: 'Take all entries out of a site',
        description: 'Entries that the caller may not see stay in the site. No entry is deleted.',
        params,
        response: { 204: NoContent },
      },
      config: { scopes: ['sites:write'], errors: [404] },
      handler: async (request, reply) => {
        await rules.clear(request.caller, request.params.site_id)
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'DELETE',
      url: `${url}/:entry_id`,
      schema: {
        operationId: 'removeSiteKnowledge',
        tags,
        summary: 'Take an entry out of a site',
        params: UuidParams('site_id', 'entry_id'),
        response: { 204: NoContent },
      },
      config: { scopes: ['sites:write'], errors: [404] },
      handler: async (request, reply) => {
        await rules.remove(request.caller, request.params.site_id, request.params.entry_id)
        return reply.code(204).send(null)
      },
    })
  }
}
