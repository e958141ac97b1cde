import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { encodeCursor, nextLink, pageIn, PageQuery } from '../../platform/contract/paging.ts'
import { expectedState, withState } from '../../platform/http/answers/etag.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import {
  JudgedQueries,
  JudgedQueriesStored,
  JudgedQuery,
  JudgedRun,
  JudgedRunCreate,
  JudgedRunDetail,
  JudgedSet,
  JudgedSetCreate,
  JudgedSetUpdate,
} from './contract.ts'
import type { JudgedSetRules } from './rules.ts'
import type { JudgedRunRules } from './runs.ts'

const BASE = '/api/knowledge/judged-sets'
const SET_URL = `${BASE}/:set_id`
const tags = ['Judged sets']
const scopes = ['tenant:admin', 'knowledge:read', 'products:read'] as const
const ofSet = UuidParams('set_id')

export function judgedSetRoutes(rules: JudgedSetRules, runs: JudgedRunRules): RoutePlugin {
  return (app) => {
    app.addHook('onClose', () => runs.close())
    app.route({
      method: 'GET',
      url: BASE,
      schema: {
        operationId: 'listJudgedSets',
        tags,
        summary: 'List the judged sets',
        description: 'All of them, oldest first; a tenant has 50 at most.',
        response: { 200: ListOf(JudgedSet) },
      },
      config: { scopes },
      handler: ({ caller }) => rules.list(caller),
    })
    app.route({
      method: 'POST',
      url: BASE,
      schema: {
        operationId: 'createJudgedSet',
        tags,
        summary: 'Create a judged set',
        description: 'Queries with judged hits, by which the quality of search is measured over time.',
        body: JudgedSetCreate,
        response: { 201: JudgedSet },
      },
      config: { scopes, errors: [409], answerHeaders: ['Location', 'ETag'] },
      handler: async ({ caller, body }, reply) => {
        const set = await rules.create(caller, body)
        reply.code(201).header('location', `${BASE}/${set.id}`)
        return withState(reply, set)
      },
    })
    app.route({
      method: 'GET',
      url: SET_URL,
      schema: {
        operationId: 'getJudgedSet',
        tags,
        summary: 'Read a judged set',
        params: ofSet,
        response: { 200: JudgedSet },
      },
      config: { scopes, errors: [404], answerHeaders: ['ETag'] },
      handler: async ({ caller, params }, reply) => withState(reply, await rules.read(caller, params.set_id)),
    })
    app.route({
      method: 'PATCH',
      url: SET_URL,
      schema: {
        operationId: 'renameJudgedSet',
        tags,
        summary: 'Rename a judged set',
        description: 'Send If-Match so that you do not overwrite a change by somebody else.',
        params: ofSet,
        body: JudgedSetUpdate,
        response: { 200: JudgedSet },
      },
      config: { scopes, errors: [404, 412], requestHeaders: ['If-Match'], answerHeaders: ['ETag'] },
      handler: async ({ caller, params, body, headers }, reply) =>
        withState(reply, await rules.rename(caller, params.set_id, body, expectedState(headers['if-match']))),
    })
    app.route({
      method: 'DELETE',
      url: SET_URL,
      schema: {
        operationId: 'deleteJudgedSet',
        tags,
        summary: 'Delete a judged set with its queries and runs',
        description: 'Send If-Match so that you do not delete a set that was renamed or has more or fewer queries.',
        params: ofSet,
        response: { 204: NoContent },
      },
      config: { scopes, errors: [404, 412], requestHeaders: ['If-Match'] },
      handler: async ({ caller, params, headers }, reply) => {
        await rules.remove(caller, params.set_id, expectedState(headers['if-match']))
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'GET',
      url: `${SET_URL}/queries`,
      schema: {
        operationId: 'listJudgedQueries',
        tags,
        summary: "List a set's queries with their judgments",
        description: 'In the order in which they were added. The Link header names the next page.',
        params: ofSet,
        querystring: PageQuery,
        response: { 200: ListOf(JudgedQuery) },
      },
      config: { scopes, errors: [404], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { limit, after } = pageIn(request.query, ['string'])
        const page = { limit, after: after?.[0] ?? null }
        const { queries, next } = await rules.queries(request.caller, request.params.set_id, page)
        if (next !== null) reply.header('link', nextLink(request.url, encodeCursor([next])))
        return queries
      },
    })
    app.route({
      method: 'PUT',
      url: `${SET_URL}/queries`,
      schema: {
        operationId: 'putJudgedQueries',
        tags,
        summary: 'Add or replace queries of a set',
        description: 'A file of JSON Lines has one of `queries` on each line. A set has 500 queries at most.',
        params: ofSet,
        body: JudgedQueries,
        response: { 200: JudgedQueriesStored },
      },
      config: { scopes, errors: [404, 409] },
      handler: ({ caller, params, body }) => rules.putQueries(caller, params.set_id, body),
    })
    app.route({
      method: 'DELETE',
      url: `${SET_URL}/queries/:query_id`,
      schema: {
        operationId: 'deleteJudgedQuery',
        tags,
        summary: 'Delete a query of a set',
        params: UuidParams('set_id', 'query_id'),
        response: { 204: NoContent },
      },
      config: { scopes, errors: [404] },
      handler: async ({ caller, params }, reply) => {
        await rules.removeQuery(caller, params.set_id, params.query_id)
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'GET',
      url: `${SET_URL}/runs`,
      schema: {
        operationId: 'listJudgedRuns',
        tags,
        summary: "List a set's runs",
        description: 'Newest first; the last 100 are kept. Runs with a ceiling above that of the caller are left out.',
        params: ofSet,
        response: { 200: ListOf(JudgedRun) },
      },
      config: { scopes, errors: [404] },
      handler: ({ caller, params }) => runs.list(caller, params.set_id),
    })
    app.route({
      method: 'POST',
      url: `${SET_URL}/runs`,
      schema: {
        operationId: 'startJudgedRun',
        tags,
        summary: 'Run a judged set',
        description:
          'Asks each of its queries and compares the first ten hits with the judgments. The answer comes at once; ' +
          'reading the run says how far it is. A tenant has one run at a time.',
        params: ofSet,
        body: JudgedRunCreate,
        response: { 202: JudgedRun },
      },
      config: { scopes, errors: [404, 409] },
      handler: async ({ caller, params, body }, reply) => {
        reply.code(202)
        return runs.start(caller, params.set_id, body)
      },
    })
    app.route({
      method: 'GET',
      url: `${SET_URL}/runs/:run_id`,
      schema: {
        operationId: 'getJudgedRun',
        tags,
        summary: 'Read a run with its results per query',
        description: 'The results are empty until the run is done.',
        params: UuidParams('set_id', 'run_id'),
        response: { 200: JudgedRunDetail },
      },
      config: { scopes, errors: [404] },
      handler: ({ caller, params }) => runs.read(caller, params.set_id, params.run_id),
    })
  }
}
