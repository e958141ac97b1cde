import { undeclaredIn } from '../../platform/contract/undeclared.ts'
import { expectedVersion, withTag } from '../../platform/http/answers/etag.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { signInFacts } from '../sessions/routes.ts'
import { TenantSettings } from '../tenants/contract.ts'
import { TenantSettingsUpdate } from './contract.ts'
import type { TenantSettingsRules } from './tenant-settings-rules.ts'

const url = '/api/knowledge/tenant-settings'
const tags = ['Tenant']
const scopes = ['tenant:admin'] as const

/** Routes of the settings of the caller's tenant. */
export function tenantSettingsRoutes(rules: TenantSettingsRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'getTenantSettings',
        tags,
        summary: 'Read the settings of the tenant',
        description: 'All of them, as they are in force. The ETag names this state.',
        response: { 200: TenantSettings },
      },
      config: { scopes, answerHeaders: ['ETag'] },
      handler: async ({ caller }, reply) => {
        const { version, value } = await rules.read(caller)
        return withTag(reply, version, value)
      },
    })
    app.route({
      method: 'PATCH',
      url,
      schema: {
        operationId: 'updateTenantSettings',
        tags,
        summary: 'Change the settings of the tenant',
        description:
          'Only the settings you send change, from the next request on. Send If-Match so that you do not overwrite a ' +
          'change by somebody else. What only the operator sets, such as `host`, is refused (403). A signed-in person ' +
          'confirms by `confirmation` that fewer people need a second factor, else the answer is 403 of type ' +
          '`proof_needed`.',
        body: TenantSettingsUpdate,
        response: { 200: TenantSettings },
      },
      config: { scopes, errors: [412], requestHeaders: ['If-Match'], answerHeaders: ['ETag'] },
      handler: async (request, reply) => {
        const { caller, body, headers } = request
        const undeclared = undeclaredIn(body).map(({ path }) => path[0])
        const expected = expectedVersion(headers['if-match'])
        const { version, value } = await rules.change(caller, body, undeclared, signInFacts(request), expected)
        return withTag(reply, version, value)
      },
    })
  }
}
