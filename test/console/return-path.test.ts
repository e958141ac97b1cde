import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOME, returnPath } from '../../console/src/parts/return-path.ts'

const ORIGIN = 'https://knowledge.example'

test('paths of the service are returned to, with query and fragment', () => {
  for (const path of [
    '/',
    '/console/settings/api-keys',
    '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fb#c',
  ]) {
    assert.equal(returnPath(path, ORIGIN), path)
  }
})

test('whatever would lead elsewhere leads to the start', () => {
  const elsewhere = [
    undefined,
    null,
    7,
    ['/console'],
    '',
    'console',
    'https://evil.example/',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example',
    '/a\\..\\..\\evil',
    ' //evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\u0000/evil.example',
    '/\u0085/evil.example',
  ]
  for (const wanted of elsewhere) assert.equal(returnPath(wanted, ORIGIN), HOME, String(wanted))
  // Dots are resolved before the host is judged, and what remains is a path.
  assert.equal(returnPath('/a/..//evil.example', ORIGIN), HOME)
})

test('no text leads to another origin, as a browser resolves it', () => {
  const pieces = fc.constantFrom(
    '/',
    '//',
    '\\',
    '..',
    '.',
    '@',
    ':',
    '?',
    '#',
    '\t',
    '\n',
    ' ',
    'evil.example',
    'https:',
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces).map((parts) => parts.join('')),
    fc.webUrl(),
  )
  fc.assert(
    fc.property(texts, (wanted) => {
      const path = returnPath(wanted, ORIGIN)
      assert.equal(new URL(path, ORIGIN).origin, ORIGIN)
      assert.ok(path.startsWith('/') && !path.startsWith('//'))
    }),
    { numRuns: 500 },
  )
})
