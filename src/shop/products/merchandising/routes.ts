import { expectedState, withState } from '../../../platform/http/answers/etag.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { ListOf, NoContent, UuidParams } from '../../../platform/contract/schema.ts'
import { EXACT_SEARCH_NUMBERS } from '../search/search-contract.ts'
import type { ProductSearchRules } from '../search/search-rules.ts'
import {
  MerchandisingPreview,
  MerchandisingPreviewAnswer,
  MerchandisingRule,
  MerchandisingRuleWrite,
  SearchVocabulary,
} from './contract.ts'
import type { MerchandisingRules } from './rules.ts'

const BASE = '/api/knowledge/sites'
const RULES_URL = `${BASE}/:site_id/merchandising`
const VOCABULARY = '/api/knowledge/search-vocabulary'
const tags = ['Merchandising']
const ofSite = UuidParams('site_id')
const ofRule = UuidParams('site_id', 'rule_id')

export function merchandisingRoutes(rules: MerchandisingRules, search: ProductSearchRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: RULES_URL,
      schema: {
        operationId: 'listMerchandisingRules',
        tags,
        summary: "List a site's rules",
        description: 'All of them, oldest first; a site has 200 at most.',
        params: ofSite,
        response: { 200: ListOf(MerchandisingRule) },
      },
      config: { scopes: ['products:write'], errors: [404] },
      handler: (request) => rules.list(request.caller, request.params.site_id),
    })
    app.route({
      method: 'POST',
      url: RULES_URL,
      schema: {
        operationId: 'createMerchandisingRule',
        tags,
        summary: "Create a rule for a site's product search",
        description:
          'It is in force for the next search that names the site. Searches that name no site have no rules. A rule ' +
          'applies when all of its conditions hold: its dates, its query and its filters.',
        params: ofSite,
        body: MerchandisingRuleWrite,
        response: { 201: MerchandisingRule },
      },
      config: { scopes: ['products:write'], errors: [404, 409], answerHeaders: ['Location', 'ETag'] },
      handler: async (request, reply) => {
        const rule = await rules.create(request.caller, request.params.site_id, request.body)
        reply.code(201).header('location', `${BASE}/${rule.site_id}/merchandising/${rule.id}`)
        return withState(reply, rule)
      },
    })
    app.route({
      method: 'GET',
      url: `${RULES_URL}/:rule_id`,
      schema: {
        operationId: 'getMerchandisingRule',
        tags,
        summary: 'Read a rule',
        params: ofRule,
        response: { 200: MerchandisingRule },
      },
      config: { scopes: ['products:write'], errors: [404], answerHeaders: ['ETag'] },
      handler: async ({ caller, params }, reply) =>
        withState(reply, await rules.read(caller, params.site_id, params.rule_id)),
    })
    app.route({
      method: 'PUT',
      url: `${RULES_URL}/:rule_id`,
      schema: {
        operationId: 'replaceMerchandisingRule',
        tags,
        summary: 'Replace a rule',
        description:
          'As a whole: absent fields get their defaults. Send If-Match so that you do not overwrite a change by ' +
          'somebody else.',
        params: ofRule,
        body: MerchandisingRuleWrite,
        response: { 200: MerchandisingRule },
      },
      config: {
        scopes: ['products:write'],
        errors: [404, 412],
        requestHeaders: ['If-Match'],
        answerHeaders: ['ETag'],
      },
      handler: async ({ caller, params, body, headers }, reply) => {
        const expected = expectedState(headers['if-match'])
        return withState(reply, await rules.replace(caller, params.site_id, params.rule_id, body, expected))
      },
    })
    app.route({
      method: 'DELETE',
      url: `${RULES_URL}/:rule_id`,
      schema: {
        operationId: 'deleteMerchandisingRule',
        tags,
        summary: 'Delete a rule',
        description: 'Send If-Match so that you do not delete a changed rule.',
        params: ofRule,
        response: { 204: NoContent },
      },
      config: { scopes: ['products:write'], errors: [404, 412], requestHeaders: ['If-Match'] },
      handler: async ({ caller, params, headers }, reply) => {
        await rules.remove(caller, params.site_id, params.rule_id, expectedState(headers['if-match']))
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'POST',
      url: `${RULES_URL}/preview`,
      schema: {
        operationId: 'previewMerchandising',
        tags,
        summary: 'Search a site with other rules',
        description:
          'As search would answer with these rules in place of the stored ones. Nothing is stored or logged.',
        params: ofSite,
        body: MerchandisingPreview,
        response: { 200: MerchandisingPreviewAnswer },
      },
      config: {
        scopes: ['products:read', 'products:write'],
        errors: [404, 507],
        readsOnly: true,
        exactNumbers: EXACT_SEARCH_NUMBERS,
      },
      handler: ({ caller, params, body }) => search.preview(caller, params.site_id, body),
    })
    app.route({
      method: 'GET',
      url: VOCABULARY,
      schema: {
        operationId: 'getSearchVocabulary',
        tags,
        summary: 'Read the synonyms and stop words of product search',
        response: { 200: SearchVocabulary },
      },
      config: { scopes: ['products:write'], answerHeaders: ['ETag'] },
      handler: async ({ caller }, reply) => withState(reply, await rules.vocabulary(caller)),
    })
    app.route({
      method: 'PUT',
      url: VOCABULARY,
      schema: {
        operationId: 'replaceSearchVocabulary',
        tags,
        summary: 'Replace the synonyms and stop words of product search',
        description:
          'All of them, for every site of the tenant. In force for the next search. Send If-Match so that you do not ' +
          'overwrite a change by somebody else.',
        body: SearchVocabulary,
        response: { 200: SearchVocabulary },
      },
      config: { scopes: ['products:write'], errors: [412], requestHeaders: ['If-Match'], answerHeaders: ['ETag'] },
      handler: async ({ caller, body, headers }, reply) =>
        withState(reply, await rules.replaceVocabulary(caller, body, expectedState(headers['if-match']))),
    })
  }
}
