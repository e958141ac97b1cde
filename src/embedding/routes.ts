import { expectedVersion, withTag } from '../platform/http/answers/etag.ts'
import type { RoutePlugin } from '../platform/http/route.ts'
import type { ModelChoiceRules } from './choice-rules.ts'
import { EmbeddingModelChoice, EmbeddingModels, EmbeddingStatus } from './contract.ts'
import type { EmbeddingRules } from './rules.ts'

const MODELS = '/api/knowledge/embedding-models'
const scopes = ['tenant:admin'] as const

/** Routes of the progress of embedding, and of the model that a tenant chooses. */
export function embeddingRoutes(rules: EmbeddingRules, choice: ModelChoiceRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/embedding-status',
      schema: {
        operationId: 'getEmbeddingStatus',
        tags: ['Operation'],
        summary: 'Progress of embedding',
        response: { 200: EmbeddingStatus },
      },
      config: { scopes },
      handler: (request) => rules.status(request.caller.tenant),
    })
    app.route({
      method: 'GET',
      url: MODELS,
      schema: {
        operationId: 'listEmbeddingModels',
        tags: ['Tenant'],
        summary: 'Models that the tenant may choose for its searches',
        description:
          'The built-in models, the one in use, and what a move to each would cost. Other models are those of the ' +
          'operator’s provider, which `choice: null` leaves to the operator. The ETag names the state of the settings.',
        response: { 200: EmbeddingModels },
      },
      config: { scopes, answerHeaders: ['ETag'] },
      handler: async ({ caller }, reply) => {
        const { version, value } = await choice.list(caller.tenant.id)
        return withTag(reply, version, value)
      },
    })
    app.route({
      method: 'PATCH',
      url: MODELS,
      schema: {
        operationId: 'chooseEmbeddingModel',
        tags: ['Tenant'],
        summary: 'Choose the model of the tenant’s searches',
        description:
          'Everything that has no vectors of the model is read in the background. Searches go on with the old model ' +
          'until all of it is read; `GET /api/knowledge/embedding-status` shows how far that is. A later choice ends the ' +
          'move: what is read already is kept until a minute after the next move, so that nothing is read twice. Send ' +
          'If-Match so that you do not overwrite a change of the settings by somebody else.',
        body: EmbeddingModelChoice,
        response: { 200: EmbeddingModels },
      },
      config: { scopes, errors: [412], requestHeaders: ['If-Match'], answerHeaders: ['ETag'] },
      handler: async ({ caller, body, headers }, reply) => {
        const expected = expectedVersion(headers['if-match'])
        const { version, value } = await choice.choose(caller, caller.tenant.id, body.choice, expected)
        return withTag(reply, version, value)
      },
    })
  }
}
