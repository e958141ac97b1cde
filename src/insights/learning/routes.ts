import type { RoutePlugin } from '../../platform/http/route.ts'
import { ListOf } from '../../platform/contract/schema.ts'
import { LearningDone, LearntForQuery, LearntQueriesQuery, LearntQuery, QueryWithBoosts } from './contract.ts'
import type { LearningRules } from './rules.ts'

const URL = '/api/knowledge/learning'
const tags = ['Search log']

/** Routes to learn from clicks, and to read what was learnt. */
export function learningRoutes(rules: LearningRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: URL,
      schema: {
        operationId: 'learnFromClicks',
        tags,
        summary: 'Learn from clicks now',
        description:
          'The service learns each hour by itself. Answers when the boosts are computed; clicks of the last second may ' +
          'be missing.',
        response: { 200: LearningDone },
      },
      config: { scopes: ['products:write'] },
      handler: (request) => rules.learn(request.caller),
    })
    app.route({
      method: 'GET',
      url: URL,
      schema: {
        operationId: 'getLearnt',
        tags,
        summary: 'Read what has been learnt for a query, and why',
        description: 'See docs/how-it-works/learning.md for what teaches, and how boosts are computed.',
        querystring: LearntQuery,
        response: { 200: LearntForQuery },
      },
      config: { scopes: ['analytics:read'] },
      handler: (request) => rules.learntFor(request.caller, request.query),
    })
    app.route({
      method: 'GET',
      url: `${URL}/queries`,
      schema: {
        operationId: 'listLearntQueries',
        tags,
        summary: 'List the queries for which something has been learnt',
        description: 'The strongest first. Empty while learning is off for these searches.',
        querystring: LearntQueriesQuery,
        response: { 200: ListOf(QueryWithBoosts) },
      },
      config: { scopes: ['analytics:read'] },
      handler: (request) => rules.learntQueries(request.caller, request.query),
    })
  }
}
