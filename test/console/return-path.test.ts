import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOME, returnPath } from '../../console/src/parts/session/return-path.ts'
import { Fault } from '../../src/platform/faults.ts'
import { DEFAULT_PATH, returnPath as serverReturnPath } from '../../src/identity/sessions/return-path.ts'

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

test('a path that would leave the service leads to the start page', () => {
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
  for (const candidate of elsewhere) assert.equal(returnPath(candidate, ORIGIN), HOME, String(candidate))
  // Dots are resolved before the host is checked, so that only a path remains.
  assert.equal(returnPath('/a/..//evil.example', ORIGIN), HOME)
})

const PIECES = ['/', '//', '\\', '..', '.', '@', ':', '?', '#', '\t', '\n', ' ', 'evil.example', 'https:', 'ö']
const texts = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...PIECES)).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...PIECES)).map((parts) => `/${parts.join('')}`),
  fc.webUrl(),
)

test('no text leads to another origin when a browser resolves it', () => {
  fc.assert(
    fc.property(texts, (candidate) => {
      const path = returnPath(candidate, ORIGIN)
      assert.equal(new URL(path, ORIGIN).origin, ORIGIN)
      assert.ok(path.startsWith('/') && !path.startsWith('//'))
    }),
    { numRuns: 500 },
  )
})

test('the page and the service return to the same paths', () => {
  const byService = (candidate: string): string => {
    try {
      return serverReturnPath(candidate)
    } catch (error) {
      assert.ok(error instanceof Fault)
      return DEFAULT_PATH
    }
  }
  fc.assert(
    fc.property(texts, (candidate) => {
      assert.equal(returnPath(candidate, ORIGIN), byService(candidate))
    }),
    { numRuns: 1_000 },
  )
})
