import { pageIn, PageQuery } from '../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { Site, SiteCreate, SiteUpdate } from './contract.ts'
import type { SiteRules } from './rules.ts'
import { placeOf } from './place.ts'

const BASE = '/api/knowledge/sites'
const tags = ['Sites']
const params = UuidParams('site_id')
const writeSite = compileSerialiser(Site)

export function siteRoutes(rules: SiteRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: BASE,
      schema: {
        operationId: 'createSite',
        tags,
        summary: 'Create a site',
        body: SiteCreate,
        response: { 201: Site },
      },
      config: { scopes: ['sites:write'], errors: [409], answerHeaders: ['Location'] },
      handler: async (request, reply) => {
        const site = await rules.create(request.caller, request.body)
        reply.code(201).header('location', `${BASE}/${site.id}`)
        return site
      },
    })
    app.route({
      method: 'GET',
      url: BASE,
      schema: {
        operationId: 'listSites',
        tags,
        summary: 'List sites',
        description: 'The default one first, then by name. The Link header names the next page.',
        querystring: PageQuery,
        response: { 200: ListOf(Site) },
      },
      config: { scopes: ['sites:read'], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const page = pageIn(request.query, ['integer', 'string', 'string'])
        const { items, next } = await rules.list(request.caller, page)
        return sendPage(request, reply, { items, next, keyOf: placeOf, write: writeSite })
      },
    })
    app.route({
      method: 'GET',
      url: `${BASE}/:site_id`,
      schema: { operationId: 'getSite', tags, summary: 'Read a site', params, response: { 200: Site } },
      config: { scopes: ['sites:read'], errors: [404] },
      handler: (request) => rules.read(request.caller, request.params.site_id),
    })
    app.route({
      method: 'PATCH',
      url: `${BASE}/:site_id`,
      schema: {
        operationId: 'updateSite',
        tags,
        summary: 'Change a site',
        description: 'Only the fields you send change. `config` is replaced as a whole.',
        params,
        body: SiteUpdate,
        response: { 200: Site },
      },
      config: { scopes: ['sites:write'], errors: [404, 409] },
      handler: (request) => rules.update(request.caller, request.params.site_id, request.body),
    })
    app.route({
      method: 'DELETE',
      url: `${BASE}/:site_id`,
      schema: {
        operationId: 'deleteSite',
        tags,
        summary: 'Delete an empty site',
        description: 'Refused for the default site, and for a site that has products or entries.',
        params,
        response: { 204: NoContent },
      },
      config: { scopes: ['sites:write'], errors: [404, 409] },
      handler: async (request, reply) => {
        await rules.remove(request.caller, request.params.site_id)
        return reply.code(204).send(null)
      },
    })
  }
}
