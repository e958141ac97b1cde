import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { fetchClientDocument } from './client-document.ts'
import { DocumentBounds, FetchBounds } from './fetch-bounds.ts'

const ADDRESS = 'https://app.example/client.json'

async function kept(body: string, status = 200): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=60', 'set-cookie': 'a=b' }
  const fetcher = async () => new Response(body, { status, headers })
  return fetchClientDocument(ADDRESS, {}, new FetchBounds(), fetcher)
}

test('of a document counts who the client is and where it is; scopes and foreign members do not', async () => {
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
  const answer = await kept(JSON.stringify(document))
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

test('a client that would rather sign does without where it says so, and is refused where it must sign', async () => {
  const methodOf = async (members: object): Promise<unknown> => {
    const answer = await kept(JSON.stringify({ client_id: ADDRESS, ...members }))
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

test('a secret in a document stays in it, so that the document is refused for it', async () => {
  const answer = await kept(JSON.stringify({ client_id: ADDRESS, client_secret: 's' }))
  assert.equal(((await answer.json()) as Record<string, unknown>).client_secret, 's')
})

test('what is too large, no JSON, no object, or not there is passed on to be refused', async () => {
  const large = await kept(JSON.stringify({ client_id: ADDRESS, client_name: 'x'.repeat(6_000) }))
  assert.equal((await large.arrayBuffer()).byteLength, 5_121)
  assert.equal(await (await kept('<html>')).text(), '<html>')
  assert.equal(await (await kept('[1]')).text(), '[1]')
  assert.equal((await kept('gone', 404)).status, 404)
})

test('what is no document, or not there, is not asked for again at once, and a document is', async () => {
  for (const [body, status, times] of [
    ['<html>', 200, 1],
    ['gone', 404, 1],
    ['{}', 200, 3],
  ] as const) {
    let asked = 0
    const bounds = new FetchBounds()
    const fetcher = async () => {
      asked++
      return new Response(body, { status })
    }
    for (let i = 0; i < 3; i++) await fetchClientDocument(ADDRESS, {}, bounds, fetcher).catch(() => undefined)
    assert.equal(asked, times, body)
  }
})

test('a document that comes byte by byte is broken off with its request, and its place is free again', async (t) => {
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

test('whoever names addresses without end keeps nobody out who was let in before', async () => {
  const bounds = new DocumentBounds()
  const held = Promise.withResolvers<void>()
  const slow = async () => {
    await held.promise
    return new Response('{}')
  }
  const fetched = (i: number, isKnown: boolean, fetcher: typeof globalThis.fetch) =>
    fetchClientDocument(`${ADDRESS}?${i}`, {}, bounds.of(isKnown), fetcher)
  const strangers = Array.from({ length: 8 }, (_, i) => fetched(i, false, slow))
  await assert.rejects(fetched(8, false, slow), /too much is fetched/)
  assert.equal((await fetched(9, true, async () => new Response('{}'))).status, 200)
  held.resolve()
  await Promise.all(strangers)
})

test('an open, a silent and a closed port inside are refused alike, and none is connected to', async () => {
  let connections = 0
  // Takes connections and says nothing.
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
