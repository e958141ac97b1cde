import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceNamed } from './resource.ts'

test('a resource indicator names only the service or its MCP endpoint, with or without a slash at the end', () => {
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
