import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { Client, Unanswered } from './client.ts'

/** Returns a client of a service that is busy for a number of requests. */
async function clientOfBusy(t: TestContext, refusals: number): Promise<Client> {
  let requests = 0
  const server = createServer((_request, response) => {
    response.writeHead(requests++ < refusals ? 503 : 200, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const client = new Client('north', 'key', 'category')
  client.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return client
}

describe('a client of a trial', () => {
  test('does not know what became of a write that got 503', async (t) => {
    const client = await clientOfBusy(t, 1)
    await assert.rejects(client.call('POST', '/', [200], { body: {} }), Unanswered)
  })

  test('asks again while the service is busy, once every fault is over', async (t) => {
    const client = await clientOfBusy(t, 2)
    client.isPatient = true
    assert.equal((await client.call('GET', '/', [200])).status, 200)
  })
})
