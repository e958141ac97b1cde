import { CEILINGS, isScope, SCOPES, withLowerCeilings } from '../../../platform/access/scopes.ts'
import type { Realm } from '../../tenants/realm.ts'
import { resourceNamed } from '../resource.ts'

/** What an assistant that asks for nothing in particular is offered: not what administers the tenant. */
const OFFERED = SCOPES.filter((scope) => scope !== 'tenant:admin' && scope !== 'clients:register')

/** Response modes whose answer needs no script in a page of ours. */
const RESPONSE_MODES = new Set(['query', 'fragment'])

/** What the OAuth server keeps while a person decides, whatever it makes of it, so none of it must be long. */
const KEPT_LONG = [
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
const KEPT_LENGTH_MAX = 2_000
const RESOURCES_MAX = 3

/**
 * Completes a request to authorize before the OAuth server judges it: without a scope it asks for what assistants
 * need, with a ceiling for those below it too, and a resource is written as it is stored.
 * @returns what is wrong with it where nobody can be sent back
 */
export function completeParams(realm: Realm, query: URLSearchParams): URLSearchParams | string {
  const mode = query.get('response_mode')
  if (mode !== null && !RESPONSE_MODES.has(mode)) return 'response_mode must be query or fragment'
  const long = KEPT_LONG.find((name) => query.getAll(name).some((value) => value.length > KEPT_LENGTH_MAX))
  if (long !== undefined) return `${long} must have at most ${KEPT_LENGTH_MAX} characters`
  if (query.getAll('resource').length > RESOURCES_MAX) return `resource may be named at most ${RESOURCES_MAX} times`
  const params = new URLSearchParams(query)
  // What is there more than once stays as it is, for the server to refuse.
  if (query.getAll('scope').length <= 1) params.set('scope', completeScope(query.get('scope') ?? ''))
  const resources = query.getAll('resource')
  params.delete('resource')
  for (const resource of resources) params.append('resource', resourceNamed(realm, resource) ?? resource)
  return params
}

function completeScope(asked: string): string {
  const names = asked.split(' ').filter((name) => name !== '')
  const isProtocolOnly = names.every((name) => name === 'openid' || name === 'offline_access')
  const wanted = new Set<string>(isProtocolOnly ? [...names, ...OFFERED] : names)
  // Who asks for a ceiling may be granted a lower one.
  for (const scope of withLowerCeilings([...wanted].filter(isScope))) wanted.add(scope)
  return [...wanted].join(' ')
}

/** Of several ceilings the highest alone, which says the same. */
export function withoutLowerCeilings(scopes: Iterable<string>): string[] {
  const all = [...scopes]
  const highest = CEILINGS.findLast((ceiling) => all.includes(ceiling))
  return all.filter((scope) => scope === highest || !CEILINGS.some((ceiling) => ceiling === scope))
}
