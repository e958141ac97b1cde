import type { RoutePlugin } from '../../platform/http/route.ts'
import { NoContent } from '../../platform/contract/schema.ts'
import { clientAddress } from '../../platform/throttling/client-address.ts'
import { OAuthError } from '../oauth/contract.ts'
import { sendOAuthError } from '../oauth/protocol/errors.ts'
import { ProviderLogout } from './contract.ts'
import { PROVIDER_LOGOUT, type ProviderLogoutRules } from './rules.ts'

/** Registers the route by which the outside provider ends sessions. */
export function providerLogoutRoutes(rules: ProviderLogoutRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: PROVIDER_LOGOUT,
      errorHandler: sendOAuthError,
      schema: {
        operationId: 'endProviderSessions',
        tags: ['Sign-in'],
        summary: 'End sessions that the company account ended',
        description:
          'OpenID Connect Back-Channel Logout 1.0, for the provider that the operator has set up; register the address ' +
          'there as `backchannel_logout_uri`. Ends the sessions that came from the account (`sub`) or from the ' +
          'provider’s session (`sid`), in every tenant. A token that is not good is refused with 400 and ' +
          '`{"error", "error_description"}`. docs/guides/single-sign-on.md says more.',
        body: ProviderLogout,
        response: { 200: NoContent },
      },
      config: { public: true, form: true, errors: [400, 429], refusal: OAuthError },
      handler: async ({ body, ip }, reply) => {
        await rules.end(body.logout_token, clientAddress(ip))
        // The specification asks for 200, with nothing in it.
        return reply.code(200).send(undefined as never)
      },
    })
  }
}
