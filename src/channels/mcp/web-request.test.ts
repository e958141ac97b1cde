import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webRequest } from './web-request.ts'

test('a web request keeps the method, path, headers and abort signal of the original', () => {
  const gone = new AbortController()
  const headers = { accept: 'application/json, text/event-stream', 'x-none': undefined, 'set-cookie': ['a=1', 'b=2'] }
  const request = webRequest(
    { method: 'POST', url: '/mcp?a=b', headers: { ...headers, host: 'not a host' } },
    gone.signal,
  )
  assert.deepEqual([request.method, new URL(request.url).pathname, request.body], ['POST', '/mcp', null])
  assert.equal(request.headers.get('accept'), 'application/json, text/event-stream')
  assert.equal(request.headers.get('host'), 'not a host')
  assert.equal(request.headers.has('x-none'), false)
  assert.deepEqual(request.headers.getSetCookie(), ['a=1', 'b=2'])
  gone.abort()
  assert.equal(request.signal.aborted, true)
})
