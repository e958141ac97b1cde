import { CEILINGS, isScope, SCOPES, withLowerCeilings } from '../../../platform/access/scopes.ts'
import type { Realm } from '../../tenants/realm.ts'
import { resourceNamed } from '../resource.ts'

/** Scopes that a request without a scope asks for: all but those for administrators. */
const OFFERED = SCOPES.filter((scope) => scope !== 'tenant:admin' && scope !== 'clients:register')

/** Response modes that need no script in a page of this service. */
const RESPONSE_MODES = new Set(['query', 'fragment'])

/** Parameters that the OAuth server stores while a person decides, even those it ignores. Each has a maximum length. */
const STORED_PARAMS = [
  'acr_values',
  'claims',
  'claims_locales',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'registration',
  'request',
  'request_uri',
  'resource',
  'response_type',
  'scope',
  'state',
  'ui_locales',
]
const PARAM_LENGTH_MAX = 2_000
const RESOURCES_MAX = 3

/**
 * Completes a request to authorize before the OAuth server checks it. Without a scope, the request asks for what
 * assistants need; with a ceiling, for the lower ones too; a resource is written as it is stored.
 * @returns the parameters; a message about the fault when the request must be refused without a redirect
 */
export function completeParams(realm: Realm, query: URLSearchParams): URLSearchParams | string {
  const mode = query.get('response_mode')
  if (mode !== null && !RESPONSE_MODES.has(mode)) return 'response_mode must be query or fragment'
  const tooLong = STORED_PARAMS.find((name) => query.getAll(name).some((value) => value.length > PARAM_LENGTH_MAX))
  if (tooLong !== undefined) return `${tooLong} must have at most ${PARAM_LENGTH_MAX} characters`
  if (query.getAll('resource').length > RESOURCES_MAX) return `resource may be named at most ${RESOURCES_MAX} times`
  const params = new URLSearchParams(query)
  // A repeated scope stays as it is: the server refuses it.
  if (query.getAll('scope').length <= 1) params.set('scope', completeScope(query.get('scope') ?? ''))
  const resources = query.getAll('resource')
  params.delete('resource')
  for (const resource of resources) params.append('resource', resourceNamed(realm, resource) ?? resource)
  return params
}

function completeScope(requested: string): string {
  const names = requested.split(' ').filter((name) => name !== '')
  const isProtocolOnly = names.every((name) => name === 'openid' || name === 'offline_access')
  const scopes = new Set<string>(isProtocolOnly ? [...names, ...OFFERED] : names)
  // A person may grant a lower ceiling than the requested one.
  for (const scope of withLowerCeilings([...scopes].filter(isScope))) scopes.add(scope)
  return [...scopes].join(' ')
}

/** Drops all ceilings but the highest, which includes the others. */
export function withoutLowerCeilings(scopes: Iterable<string>): string[] {
  const all = [...scopes]
  const highest = CEILINGS.findLast((ceiling) => all.includes(ceiling))
  return all.filter((scope) => scope === highest || !CEILINGS.some((ceiling) => ceiling === scope))
}
