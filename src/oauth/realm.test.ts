import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realmOfTenant, resourceNamed } from './realm.ts'

test('a tenant with a host of its own has an issuer there, all others share the public address', () => {
  const at = (host: string | null) => realmOfTenant({ tenant_id: 'a', host }, 'https://know.example/')
  assert.deepEqual(at(null), { issuer: 'https://know.example', tenantId: null })
  assert.deepEqual(at('a.example:8443'), { issuer: 'https://a.example:8443', tenantId: 'a' })
})

test('an indicator names the service or its MCP endpoint, with a slash at the end or without, and nothing else', () => {
  const realm = { issuer: 'https://know.example', tenantId: null }
  const named = (indicator: string) => resourceNamed(realm, indicator)
  assert.equal(named('https://know.example'), 'https://know.example')
  assert.equal(named('https://know.example/'), 'https://know.example')
  assert.equal(named('https://know.example/mcp'), 'https://know.example/mcp')
  assert.equal(named('HTTPS://know.example:443/mcp/'), 'https://know.example/mcp')
  for (const other of [
    'http://know.example/mcp',
    'https://know.example.evil/mcp',
    'https://know.example/mcp/x',
    'https://know.example/mcp?x=1',
    'https://know.example/mcp#x',
    'https://know.example:444/mcp',
    'https://know.example/other',
    'know.example',
    '',
  ]) {
    assert.equal(named(other), null, other)
  }
})
