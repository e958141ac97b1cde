import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationOf, isLoopback, redirectUriFault } from './redirect-uri.ts'

test('https, http on this machine and private schemes with a dot may be redirected to', () => {
  const good = [
    'https://claude.ai/api/mcp/auth_callback',
    'https://example.com:8443/a?b=c',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:80/x',
    'com.example.app:/callback',
    'com.example.app://callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ]
  for (const uri of good) assert.equal(redirectUriFault(uri), null, uri)
})

test('an address that could lead elsewhere, or to several places, may not be redirected to', () => {
  const bad = [
    'http://example.com/callback',
    'http://localhost.example.com/',
    'http://127.0.0.1.nip.io/',
    'https://localhost/callback',
    'https://*.example.com/',
    'https://example.com/#x',
    'https://example.com/#',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://exam ple.com/',
    'https:\\\\example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'myapp://callback',
    'xcursor://callback',
    '/callback',
    'example.com',
    '',
  ]
  for (const uri of bad) assert.notEqual(redirectUriFault(uri), null, uri)
})

test('a loopback address is plain http on this very machine', () => {
  const answers = ['http://127.0.0.1:1/', 'http://localhost/', 'https://localhost/', 'http://10.0.0.1/', 'x'].map(
    isLoopback,
  )
  assert.deepEqual(answers, [true, true, false, false, false])
})

test('a destination is named by its host only if that host receives the answer', () => {
  for (const [uri, kind, name] of [
    ['https://claude.ai/api/mcp/auth_callback', 'site', 'claude.ai'],
    ['https://example.com:8443/a?b=c', 'site', 'example.com:8443'],
    ['https://cl\u0430ude.ai/cb', 'site', 'xn--clude-5ve.ai'],
    ['http://localhost:3000/callback', 'machine', 'localhost:3000'],
    ['http://[::1]/callback', 'machine', '[::1]'],
    ['com.evil.app://claude.ai/cb', 'app', 'com.evil.app'],
    ['com.evil.app:/claude.ai', 'app', 'com.evil.app'],
    ['com.evil.app://127.0.0.1/', 'app', 'com.evil.app'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'app', 'cursor'],
  ] as const) {
    assert.deepEqual(destinationOf(uri), { kind, name }, uri)
  }
})
