import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeParams, withoutLowerCeilings } from './authorize-params.ts'

const REALM = { issuer: 'https://know.example', tenantId: null }
const paramsOrFault = (query: string) => completeParams(REALM, new URLSearchParams(query))
const complete = (query: string): URLSearchParams => {
  const params = paramsOrFault(query)
  assert.ok(typeof params === 'object')
  return params
}

test('a request without a scope asks for what assistants need, never for administration', () => {
  const scopes = complete('client_id=a').get('scope')!.split(' ')
  assert.ok(scopes.includes('knowledge:read') && scopes.includes('visibility:restricted'))
  assert.ok(!scopes.includes('tenant:admin') && !scopes.includes('clients:register'))
  const withProtocolScopes = complete('scope=openid+offline_access').get('scope')!
  assert.ok(withProtocolScopes.startsWith('openid offline_access knowledge:read'))
})

test('asking for a ceiling asks for the lower ones too, so that a person may grant one of those', () => {
  const scope = complete('scope=knowledge:read+visibility:internal').get('scope')
  assert.equal(scope, 'knowledge:read visibility:internal visibility:public visibility:community')
  assert.equal(complete('scope=knowledge:read').get('scope'), 'knowledge:read')
  assert.deepEqual(withoutLowerCeilings(scope.split(' ')), ['knowledge:read', 'visibility:internal'])
})

test('a resource is written as it is stored; unknown and repeated ones are left for the server to refuse', () => {
  const resources = complete(
    'resource=https://know.example/mcp/&resource=https://KNOW.example/&resource=https://x.example',
  )
  assert.deepEqual(resources.getAll('resource'), [
    'https://know.example/mcp',
    'https://know.example',
    'https://x.example',
  ])
  assert.deepEqual(complete('scope=a&scope=b').getAll('scope'), ['a', 'b'])
})

test('a response mode that would need a script in one of our pages is refused', () => {
  assert.match(String(paramsOrFault('response_mode=form_post')), /response_mode/)
  assert.equal(complete('response_mode=query').get('response_mode'), 'query')
})

test('parameters that are stored while a person decides have a maximum length', () => {
  for (const name of ['state', 'nonce', 'redirect_uri', 'ui_locales', 'claims_locales', 'acr_values', 'display']) {
    assert.equal(typeof paramsOrFault(`${name}=${'x'.repeat(2_000)}`), 'object')
    assert.match(String(paramsOrFault(`${name}=${'x'.repeat(2_001)}`)), new RegExp(name))
  }
  assert.match(String(paramsOrFault('resource=a&resource=b&resource=c&resource=d')), /resource/)
})
