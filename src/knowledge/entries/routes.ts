import type { FastifyReply } from 'fastify'
import { mayReadBack } from '../../platform/access/read-back.ts'
import { expectedVersion, withVersion } from '../../platform/http/answers/etag.ts'
import { SEARCH_HEADERS, SEARCH_REQUEST_HEADERS } from '../../platform/reference/openapi-headers.ts'
import { newestPageIn, pageIn, PageQuery } from '../../platform/contract/paging.ts'
import { sendPrepared } from '../../platform/http/answers/send-page.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { preferredLanguage } from '../../platform/http/preferred-language.ts'
import { searchAsAsked } from '../../platform/http/texts-wanted.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { Int, ListOf, NoContent, type Static, Type, Uuid, UuidParams } from '../../platform/contract/schema.ts'
import { searchHeaders } from '../../search/hits/search-headers.ts'
import * as contract from './contract.ts'
import type { Entry } from './contract.ts'
import type { EntryRules } from './rules.ts'
import type { LeftOutRules } from './search/left-out-rules.ts'
import type { EntrySearchRules } from './search/search-rules.ts'
import { sendEntries } from './lists/send-entries.ts'

const BASE = '/api/knowledge/knowledge-entries'
const tags = ['Knowledge entries']
const params = UuidParams('entry_id')
const writeVersion = compileSerialiser(contract.EntryVersionSummary)

export function entryRoutes(rules: EntryRules, search: EntrySearchRules, leftOut: LeftOutRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: BASE,
      schema: {
        operationId: 'createEntry',
        tags,
        summary: 'Create an entry',
        body: contract.EntryCreate,
        response: { 201: contract.Entry },
      },
      config: {
        scopes: ['knowledge:write'],
        answerHeaders: ['Location', 'ETag', 'X-Watermark'],
        furtherFaults: ({ caller, body }) => rules.faultsOfNew(caller, body),
      },
      handler: async (request, reply) => created(reply, await rules.create(request.caller, request.body)),
    })
    app.route({
      method: 'POST',
      url: `${BASE}/personal`,
      schema: {
        operationId: 'createPersonalEntry',
        tags,
        summary: 'Create a private note',
        description:
          "Only the credential's user can see the note, with credentials that have knowledge:personal. The note has " +
          'type knowledge and visibility personal.',
        body: contract.PersonalEntryCreate,
        response: { 201: contract.Entry },
      },
      config: {
        scopes: ['knowledge:personal'],
        answerHeaders: ['Location', 'ETag', 'X-Watermark'],
        furtherFaults: ({ caller, body }) => rules.faultsOfPersonal(caller, body),
      },
      handler: async (request, reply) => created(reply, await rules.createPersonal(request.caller, request.body)),
    })
    app.route({
      method: 'GET',
      url: BASE,
      schema: {
        operationId: 'listEntries',
        tags,
        summary: 'List entries',
        description:
          'Newest first. If there are more, the Link header names the next page. Following it neither misses nor ' +
          'repeats an entry. A page ends early once its text or its JSON reaches about 8 MiB.',
        querystring: contract.EntryListQuery,
        response: { 200: ListOf(contract.Entry) },
      },
      config: { scopes: ['knowledge:read'], answerHeaders: ['Link', 'X-Total-Count'] },
      handler: async (request, reply) => {
        const { query } = request
        const { entries, next, total } = await rules.list(request.caller, query, newestPageIn(query))
        if (total !== null) reply.header('x-total-count', String(total))
        return sendEntries(request, reply, entries, next)
      },
    })
    app.route({
      method: 'GET',
      url: `${BASE}/:entry_id`,
      schema: {
        operationId: 'getEntry',
        tags,
        summary: 'Read an entry',
        params,
        querystring: contract.EntryQuery,
        response: { 200: contract.Entry },
      },
      config: { scopes: ['knowledge:read'], errors: [404], answerHeaders: ['ETag', 'X-Search-Left-Out'] },
      handler: async (request, reply) => {
        const entry = await rules.read(request.caller, request.params.entry_id, request.query)
        if (await leftOut.isLeftOut(request.caller, entry)) reply.header('x-search-left-out', 'true')
        return withVersion(reply, entry)
      },
    })
    for (const method of ['PATCH', 'PUT'] as const) {
      app.route({
        method,
        url: `${BASE}/:entry_id`,
        schema: {
          operationId: method === 'PATCH' ? 'updateEntry' : 'putEntry',
          tags,
          summary: 'Change an entry',
          description:
            'Only the fields you send change. Send If-Match so that you do not overwrite a change by somebody else. ' +
            'Without knowledge:read the answer is always 204, without body or ETag. Metadata and an If-Match other ' +
            'than `*` are then refused (403), because the answer would reveal what is stored. If the tenant uses ' +
            'workspaces, `workspace_id` then has to come with the visibility.',
          params,
          body: contract.EntryUpdate,
          response: { 200: contract.Entry, 204: NoContent },
        },
        config: {
          scopes: ['knowledge:write'],
          errors: [404, 412],
          requestHeaders: ['If-Match'],
          answerHeaders: ['ETag', 'X-Watermark'],
          furtherFaults: ({ caller, params: at, body }) =>
            rules.faultsOfChange(caller, (at as Static<typeof params>).entry_id, body),
        },
        handler: async (request, reply) => {
          const expected = expectedVersion(request.headers['if-match'])
          const entry = await rules.update(request.caller, request.params.entry_id, request.body, expected)
          return mayReadBack(request.caller) ? withVersion(reply, entry) : reply.code(204).send(null)
        },
      })
    }
    app.route({
      method: 'DELETE',
      url: `${BASE}/:entry_id`,
      schema: {
        operationId: 'deleteEntry',
        tags,
        summary: 'Delete an entry',
        description:
          'Send If-Match so that you do not delete a changed entry. A value other than `*` needs knowledge:read.',
        params,
        response: { 204: NoContent },
      },
      config: { scopes: ['knowledge:delete'], errors: [404, 412], requestHeaders: ['If-Match'] },
      handler: async (request, reply) => {
        await rules.remove(request.caller, request.params.entry_id, expectedVersion(request.headers['if-match']))
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'GET',
      url: `${BASE}/:entry_id/versions`,
      schema: {
        operationId: 'listEntryVersions',
        tags,
        summary: "List an entry's versions",
        description:
          'Newest first. A version is listed only if its visibility at the time allows it. The Link header names the ' +
          'next page.',
        params,
        querystring: PageQuery,
        response: { 200: ListOf(contract.EntryVersionSummary) },
      },
      config: { scopes: ['knowledge:read'], errors: [404], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { caller, params: at, query } = request
        const { limit, after } = pageIn(query, ['integer'])
        const { versions, next } = await rules.versions(caller, at.entry_id, { limit, before: after?.[0] })
        return sendPage(request, reply, {
          items: versions,
          next: next === null ? null : [next],
          keyOf: ({ version }) => [version],
          write: writeVersion,
        })
      },
    })
    app.route({
      method: 'GET',
      url: `${BASE}/:entry_id/versions/:version`,
      schema: {
        operationId: 'getEntryVersion',
        tags,
        summary: 'Read an entry as it was',
        params: Type.Object({ entry_id: Uuid(), version: Int({ minimum: 1 }) }),
        response: { 200: contract.Entry },
      },
      config: { scopes: ['knowledge:read'], errors: [404] },
      handler: (request) => rules.version(request.caller, request.params.entry_id, request.params.version),
    })
    app.route({
      method: 'GET',
      url: `${BASE}/:entry_id/translations`,
      schema: {
        operationId: 'listTranslations',
        tags,
        summary: "List an entry's translations",
        description:
          'The other entries of its translation group, newest first, without expired ones. The Link header names the next page.',
        params,
        querystring: PageQuery,
        response: { 200: ListOf(contract.Entry) },
      },
      config: { scopes: ['knowledge:read'], errors: [404], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { caller, params: at, query } = request
        const { entries, next } = await rules.translations(caller, at.entry_id, newestPageIn(query))
        return sendEntries(request, reply, entries, next)
      },
    })
    app.route({
      method: 'GET',
      url: `${BASE}/:entry_id/related`,
      schema: {
        operationId: 'listRelatedEntries',
        tags,
        summary: 'Find related entries',
        description:
          'The entries nearest to its related-themes text, or nearest in meaning if it has none. The list ends early ' +
          'once it has about 8 MiB.',
        params,
        querystring: contract.RelatedQuery,
        response: { 200: ListOf(contract.RelatedEntry) },
      },
      config: { scopes: ['knowledge:read'], errors: [404, 507] },
      handler: (request) => search.related(request.caller, request.params.entry_id, request.query.limit ?? 10),
    })
    app.route({
      method: 'POST',
      url: `${BASE}/search`,
      schema: {
        operationId: 'searchEntries',
        tags,
        summary: 'Search entries by meaning, by keyword or by both',
        description:
          'Exact under every filter: the result is the same as comparing every entry the caller may see. An answer that is not, which only search by pgvector gives, has the header X-Search-Exact: false. With ' +
          '`group_translations`, the language of Accept-Language is preferred, or else the language of the tenant.',
        body: contract.EntrySearch,
        response: { 200: ListOf(contract.EntryHit) },
      },
      config: {
        scopes: ['knowledge:read'],
        readsOnly: true,
        requestHeaders: [...SEARCH_REQUEST_HEADERS, 'Accept-Language'],
        answerHeaders: [...SEARCH_HEADERS, 'X-Did-You-Mean'],
      },
      handler: async (request, reply) => {
        const language = preferredLanguage(request.headers['accept-language'], request.caller)
        const { hits, meant, ...facts } = await searchAsAsked(request, reply, (caller) =>
          search.search(caller, request.body, language),
        )
        searchHeaders(reply, facts)
        if (meant !== null) reply.header('x-did-you-mean', encodeURIComponent(meant.toWellFormed()))
        return sendPrepared(reply, hits.json())
      },
    })
  }
}

function created(reply: FastifyReply, entry: Entry): Entry {
  reply.code(201).header('location', `${BASE}/${entry.id}`)
  return withVersion(reply, entry)
}
