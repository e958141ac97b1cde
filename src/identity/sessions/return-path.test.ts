import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { returnPath } from './return-path.ts'

const HERE = 'https://knowledge.example'

test('a path of the service is kept, with query and fragment', () => {
  for (const path of ['/', '/console', '/console/entries?q=a%20b&c=//d#e', '/oauth/interaction/x-_1']) {
    assert.equal(returnPath(path), path)
  }
  assert.equal(returnPath('/suche?q=größe'), '/suche?q=gr%C3%B6%C3%9Fe')
  for (const missing of [undefined, '']) assert.equal(returnPath(missing), '/console')
})

test('a path that leads or might lead elsewhere is refused', () => {
  const bad = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/a\\b',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/a/..//evil.example',
    'console',
    'javascript:alert(1)',
    '/\u0000',
    '/\u0085/',
    `/${'x'.repeat(1_000)}`,
    `/${'😀'.repeat(100)}`,
  ]
  for (const path of bad) assert.throws(() => returnPath(path), { kind: 'invalid' }, JSON.stringify(path))
})

test('whatever the path, the browser stays on this service', () => {
  const part = fc.oneof(
    fc.constantFrom('/', '\\', '.', '..', '%2e', '//', '\t', '@', ':', '?', '#', 'evil.example'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      let path
      try {
        path = returnPath(`/${parts.join('')}`)
      } catch {
        return
      }
      assert.equal(new URL(path, HERE).origin, HERE)
      assert.match(path, /^[\x20-\x7e]+$/)
    }),
    { numRuns: 500 },
  )
})
