import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { startNameServer } from '../../../../test/support/name-server.ts'
import { connectorTo, fetchPublic, publicFetch } from './public-fetch.ts'

test('a name or an address of this machine is never connected to', async () => {
  for (const host of ['localhost', '127.0.0.1', '127.1', '0', '[::1]', '[::ffff:7f00:1]', '2130706433']) {
    await assert.rejects(fetchPublic(`https://${host}/`), { message: 'the address is not public' }, host)
  }
})

test('a public name that resolves to this machine is never connected to', async (t) => {
  let connections = 0
  const inside = createServer().on('connection', () => connections++)
  await once(inside.listen(0, '127.0.0.1'), 'listening')
  const server = await startNameServer(({ type }) => (type === 'A' ? ['127.0.0.1'] : []))
  t.after(() => {
    inside.close()
    server.close()
  })
  const fetch = publicFetch({ servers: [server.address] })
  const { port } = inside.address() as AddressInfo
  await assert.rejects(fetch(`https://client.example:${port}/`), { message: 'the address is not public' })
  assert.equal(connections, 0)
})

test('the connected address is checked again before a request is sent', async (t) => {
  let requests = 0
  const inside = createServer(() => requests++)
  await once(inside.listen(0, '127.0.0.1'), 'listening')
  t.after(() => inside.close())
  const dispatcher = new Agent({ connect: connectorTo([{ address: '127.0.0.1', family: 4 }]) })
  const { port } = inside.address() as AddressInfo
  await assert.rejects(request(`http://client.example:${port}/`, { dispatcher }), {
    message: 'the address is not public',
  })
  assert.equal(requests, 0)
})

test('an aborted fetch ends at once', async () => {
  await assert.rejects(fetchPublic('https://client.example/', { signal: AbortSignal.abort(new Error('enough')) }), {
    message: 'enough',
  })
})
