import { expectedVersion, withTag } from '../../platform/http/answers/etag.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { signInFacts } from '../sessions/routes.ts'
import { SignInProviderState, SignInRules, SignInRulesChange } from './contract.ts'
import type { ProviderStateRules } from './provider-state.ts'
import type { SignInRulesRules } from './rules.ts'

const url = '/api/knowledge/sign-in-rules'
const tags = ['Tenant']
const scopes = ['tenant:admin'] as const

/** Routes for the rules by which people of the outside provider become users of the caller's tenant. */
export function signInRulesRoutes(rules: SignInRulesRules, provider: ProviderStateRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'getSignInRules',
        tags,
        summary: 'Read how people of the company account become users',
        description: 'The ETag names this state.',
        response: { 200: SignInRules },
      },
      config: { scopes, answerHeaders: ['ETag'] },
      handler: async ({ caller }, reply) => {
        const { version, value } = await rules.read(caller)
        return withTag(reply, version, value)
      },
    })
    app.route({
      method: 'PUT',
      url,
      schema: {
        operationId: 'replaceSignInRules',
        tags,
        summary: 'Set how people of the company account become users',
        description:
          'As a whole, from the next sign-in on. Send If-Match so that you do not overwrite a change by somebody else. ' +
          'Nobody gives a role or ceiling that they do not have themselves (403). docs/guides/single-sign-on.md explains ' +
          'the fields. A signed-in person confirms a change by `confirmation`, else the answer is 403 of type ' +
          '`proof_needed`.',
        body: SignInRulesChange,
        response: { 200: SignInRules },
      },
      config: { scopes, errors: [412], requestHeaders: ['If-Match'], answerHeaders: ['ETag'] },
      handler: async (request, reply) => {
        const { caller, body, headers } = request
        const expected = expectedVersion(headers['if-match'])
        const { version, value } = await rules.replace(caller, body, signInFacts(request), expected)
        return withTag(reply, version, value)
      },
    })
    app.route({
      method: 'GET',
      url: '/api/knowledge/sign-in-provider',
      schema: {
        operationId: 'getSignInProvider',
        tags,
        summary: 'How the provider of the company account is',
        description: 'Which provider the operator has set up, and whether it answers.',
        response: { 200: SignInProviderState },
      },
      config: { scopes },
      handler: ({ caller }) => provider.read(caller),
    })
  }
}
