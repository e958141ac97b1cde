import { preferredLanguage } from '../../platform/http/preferred-language.ts'
import { sendPrepared } from '../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { searchAsAsked } from '../../platform/http/texts-wanted.ts'
import { SEARCH_REQUEST_HEADERS } from '../../platform/reference/openapi-headers.ts'
import { sayBehind, searchHeaders } from '../../search/hits/search-headers.ts'
import { CombinedAnswer, CombinedSearch, MultiAnswer, MultiSearch } from './contract.ts'
import type { CombinedSearchRules } from './rules.ts'

const tags = ['Search']

export function combinedSearchRoutes(rules: CombinedSearchRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/search',
      schema: {
        operationId: 'search',
        tags,
        summary: 'Search products and knowledge together',
        description:
          'For one search box over everything. The section products needs the scope products:read, the section ' +
          'knowledge needs knowledge:read. Each section has the hits of its own search route. `products` and ' +
          '`knowledge` ask one section for something else than the other. With `fields`, the product or entry of a ' +
          'hit has only those fields. With `group_translations`, the language of Accept-Language is preferred, or ' +
          'else the language of the tenant.',
        body: CombinedSearch,
        response: { 200: CombinedAnswer },
      },
      config: { scopes: [], readsOnly: true, requestHeaders: [...SEARCH_REQUEST_HEADERS, 'Accept-Language'] },
      handler: async (request, reply) => {
        const language = preferredLanguage(request.headers['accept-language'], request.caller)
        const { json, ...facts } = await searchAsAsked(request, reply, (caller) =>
          rules.search(caller, request.body, language),
        )
        searchHeaders(reply, facts)
        return sendPrepared(reply, json) as never
      },
    })
    app.route({
      method: 'POST',
      url: '/api/knowledge/multi-search',
      schema: {
        operationId: 'multiSearch',
        tags,
        summary: 'Search several times in one call',
        description:
          'Up to 20 searches, each like that of /api/knowledge/search, for a page with several lists. Together the ' +
          'answers have at most 8 MiB. If one search is refused, all are.',
        body: MultiSearch,
        response: { 200: MultiAnswer },
      },
      config: {
        scopes: [],
        readsOnly: true,
        requestHeaders: [...SEARCH_REQUEST_HEADERS, 'Accept-Language'],
        answerHeaders: ['X-Search-Behind'],
      },
      handler: async (request, reply) => {
        const language = preferredLanguage(request.headers['accept-language'], request.caller)
        const { searches } = request.body
        const { json, behind } = await searchAsAsked(
          request,
          reply,
          (caller) => rules.searchAll(caller, searches, language),
          searches.length,
        )
        sayBehind(reply, behind)
        return sendPrepared(reply, json) as never
      },
    })
  }
}
