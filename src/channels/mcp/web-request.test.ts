import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webRequest } from './web-request.ts'

test('a web request keeps the method, path, headers and abort signal of the original', () => {
  const gone = new AbortController()
  const headers = { accept: 'application/json, text/event-stream', 'x-none': undefined, 'set-cookie': ['a=1', 'b=2'] }
  const made = webRequest({ method: 'POST', url: '/mcp?a=b', headers: { ...headers, host: 'not a host' } }, gone.signal)
  assert.deepEqual([made.method, new URL(made.url).pathname, made.body], ['POST', '/mcp', null])
  assert.equal(made.headers.get('accept'), 'application/json, text/event-stream')
  assert.equal(made.headers.get('host'), 'not a host')
  assert.equal(made.headers.has('x-none'), false)
  assert.deepEqual(made.headers.getSetCookie(), ['a=1', 'b=2'])
  gone.abort()
  assert.equal(made.signal.aborted, true)
})
