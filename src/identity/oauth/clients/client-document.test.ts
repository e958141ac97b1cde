import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { fetchClientDocument } from './client-document.ts'
import { DocumentBounds, FetchBounds } from './fetch-bounds.ts'

const ADDRESS = 'https://app.example/client.json'

async function documentOf(body: string, status = 200): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=60', 'set-cookie': 'a=b' }
  const fetcher = async () => new Response(body, { status, headers })
  return fetchClientDocument(ADDRESS, {}, new FetchBounds(), fetcher)
}

test('a document says who the client is and where it is; its scopes and unknown members are dropped', async () => {
  const document = {
    client_id: ADDRESS,
    client_name: 'App',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code', 'token'],
    scope: 'tenant:admin',
    tenant_id: 'default',
    registration: 'key',
    allowed_scopes: 'tenant:admin',
    application_type: 'web',
  }
  const answer = await documentOf(JSON.stringify(document))
  assert.deepEqual(await answer.json(), {
    client_id: ADDRESS,
    client_name: 'App',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
  assert.equal(answer.headers.get('cache-control'), 'max-age=60')
  assert.equal(answer.headers.get('set-cookie'), null)
})

test('a client that prefers signing uses no secret if it supports that, and is refused if it must sign', async () => {
  const methodOf = async (members: object): Promise<unknown> => {
    const answer = await documentOf(JSON.stringify({ client_id: ADDRESS, ...members }))
    return ((await answer.json()) as Record<string, unknown>).token_endpoint_auth_method
  }
  const preferred = { token_endpoint_auth_method: 'private_key_jwt' }
  assert.equal(
    await methodOf({ ...preferred, token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] }),
    'none',
  )
  assert.equal(
    await methodOf({ ...preferred, token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
    'private_key_jwt',
  )
  assert.equal(await methodOf(preferred), 'private_key_jwt')
})

test('a secret is kept in the document, so that the server refuses the document', async () => {
  const answer = await documentOf(JSON.stringify({ client_id: ADDRESS, client_secret: 's' }))
  assert.equal(((await answer.json()) as Record<string, unknown>).client_secret, 's')
})

test('a document that is too large, not a JSON object or missing is passed on, so that the server refuses it', async () => {
  const large = await documentOf(JSON.stringify({ client_id: ADDRESS, client_name: 'x'.repeat(6_000) }))
  assert.equal((await large.arrayBuffer()).byteLength, 5_121)
  assert.equal(await (await documentOf('<html>')).text(), '<html>')
  assert.equal(await (await documentOf('[1]')).text(), '[1]')
  assert.equal((await documentOf('gone', 404)).status, 404)
})

test('an invalid or missing document is not fetched again at once, but a valid one is', async () => {
  for (const [body, status, times] of [
    ['<html>', 200, 1],
    ['gone', 404, 1],
    ['{}', 200, 3],
  ] as const) {
    let fetches = 0
    const bounds = new FetchBounds()
    const fetcher = async () => {
      fetches++
      return new Response(body, { status })
    }
    for (let i = 0; i < 3; i++) await fetchClientDocument(ADDRESS, {}, bounds, fetcher).catch(() => undefined)
    assert.equal(fetches, times, body)
  }
})

test('aborting the request ends a slow fetch of a document and frees its place', async (t) => {
  const breaking = new AbortController()
  const slow = createWebServer((_request, response) => {
    response.writeHead(200).write('{')
    response.once('close', () => slow.close())
    setImmediate(() => breaking.abort(new Error('enough')))
  })
  await once(slow.listen(0, '127.0.0.1'), 'listening')
  t.after(() => slow.close())
  const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`
  const bounds = new FetchBounds({ atOnce: 1, perMinute: 2, remembered: 1 })
  const { signal } = breaking
  await assert.rejects(fetchClientDocument(address, { signal }, bounds, globalThis.fetch), { message: 'enough' })
  assert.equal((await fetchClientDocument(ADDRESS, {}, bounds, async () => new Response('{}'))).status, 200)
})

test('naming endless addresses of documents does not keep out clients that were let in before', async () => {
  const bounds = new DocumentBounds()
  const gate = Promise.withResolvers<void>()
  const slow = async () => {
    await gate.promise
    return new Response('{}')
  }
  const fetchNumber = (i: number, isLetIn: boolean, fetcher: typeof globalThis.fetch) =>
    fetchClientDocument(`${ADDRESS}?${i}`, {}, bounds.of(isLetIn), fetcher)
  const strangers = Array.from({ length: 8 }, (_, i) => fetchNumber(i, false, slow))
  await assert.rejects(fetchNumber(8, false, slow), /too many addresses are being fetched/)
  assert.equal((await fetchNumber(9, true, async () => new Response('{}'))).status, 200)
  gate.resolve()
  await Promise.all(strangers)
})

test('open, silent and closed ports of internal hosts are refused alike, and none is connected to', async () => {
  let connections = 0
  // Accepts connections and never answers.
  const silent = createServer(() => connections++).listen(0, '127.0.0.1')
  const gone = createServer().listen(0, '127.0.0.1')
  await Promise.all([once(silent, 'listening'), once(gone, 'listening')])
  const ports = [silent, gone].map((server) => (server.address() as AddressInfo).port)
  gone.close()
  await once(gone, 'close')
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    for (const port of ports) {
      const address = `https://${host}:${port}/client.json`
      await assert.rejects(fetchClientDocument(address, {}, new FetchBounds()), {
        message: 'the address is not public',
      })
    }
  }
  assert.equal(connections, 0)
  silent.close()
})
