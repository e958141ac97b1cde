import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostCookie } from './host-cookie.ts'

const cookie = new HostCookie('kept')

test('a cookie is found at any position, by its whole name', () => {
  for (const header of [
    'kept=1',
    'a=2; kept=1',
    'kept=1; a=2',
    'a=2; kept=1; kept=3',
    'xkept=2; kept=1; ',
    '; kept=1',
  ]) {
    assert.equal(cookie.read(header, false), '1', header)
  }
  for (const header of [undefined, '', 'kept', 'xkept=1', 'a=kept=1', 'a=2;kept=1', '__Host-kept=1']) {
    assert.equal(cookie.read(header, false), null, String(header))
  }
  assert.equal(cookie.read('kept=1; __Host-kept=2', true), '2')
  assert.equal(cookie.read('kept=; a=1', false), '')
})

test('a header of thousands of cookies is searched without a list of them', (t) => {
  const looks = t.mock.method(String.prototype, 'startsWith')
  assert.equal(cookie.read(`${'a=1; '.repeat(3_000)}kept=1`, false), '1')
  assert.ok(looks.mock.callCount() <= 1)
})
