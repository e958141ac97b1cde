import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostPortText, isEveryAddress, parseHostPort } from './host-port.ts'

function spelled(text: string): string | null {
  const parsed = parseHostPort(text)
  return parsed === null ? null : hostPortText(parsed)
}

test('an address has one spelling, however it was written', () => {
  assert.equal(spelled(' 10.0.0.1:9400'), '10.0.0.1:9400')
  assert.equal(spelled('Search-1.Example.com:09400'), 'search-1.example.com:9400')
  assert.equal(spelled('localhost:9400'), '127.0.0.1:9400')
  assert.equal(spelled('[FD00:0:0::1]:9400'), '[fd00::1]:9400')
})

test('what is no host with a port is refused', () => {
  const faulty = [
    '',
    '10.0.0.1',
    ':9400',
    '10.0.0.1:0',
    '10.0.0.1:65536',
    '10.0.0:9400',
    'fd00::1:9400',
    '[10.0.0.1]:1',
  ]
  for (const text of [...faulty, 'http://a:1', 'a:1/x', 'a b:1', 'user@a:1'])
    assert.equal(parseHostPort(text), null, text)
})

test('0.0.0.0 and :: are every address of the machine', () => {
  for (const text of ['0.0.0.0:1', '[::]:1', '[0:0::0]:1']) assert.equal(isEveryAddress(parseHostPort(text)!), true)
  for (const text of ['10.0.0.0:1', '[::1]:1']) assert.equal(isEveryAddress(parseHostPort(text)!), false)
})
