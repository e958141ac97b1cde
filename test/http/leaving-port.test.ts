import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Traffic } from '../../src/platform/http/transport/traffic.ts'
import { freePort } from '../support/free-port.ts'
import { inTier } from '../support/tier.ts'

const ROUNDS = inTier({ gate: 3, all: 10 })
const CLIENTS = 8

/** Returns the outcome of a request on a connection of its own: `served`, or the code of the error. */
function ask(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let end = 'closed without an answer'
    socket.on('connect', () => socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'))
    socket.on('data', (data) => (text += data))
    socket.on('error', (error: NodeJS.ErrnoException) => (end = error.code!))
    socket.on('close', () => resolve(text.endsWith('served') ? 'served' : end))
  })
}

test('a busy server that leaves its port refuses connections, and resets none that it let in', async () => {
  const ends = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const port = await freePort()
    const child: ChildProcess = fork(join(import.meta.dirname, '../support/busy-server.ts'), [String(port)])
    const gone = once(child, 'exit')
    await once(child, 'message')
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (let end = 'served'; end === 'served';) {
        end = await ask(port)
        ends.set(end, (ends.get(end) ?? 0) + 1)
      }
    })
    await sleep(100)
    child.send('leave')
    await Promise.all(clients)
    await gone
  }
  assert.deepEqual([...ends.keys()].sort(), ['ECONNREFUSED', 'served'], JSON.stringify([...ends]))
})

test('a request whose client left while it was held is not served, and others are', async (t) => {
  const served: string[] = []
  const server = createServer((request, response) => {
    served.push(request.url!)
    response.end()
  })
  t.after(() => server.close())
  const traffic = new Traffic(null, () => undefined)
  traffic.guard(server)
  const release = traffic.hold()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const send = async (path: string): Promise<{ client: Socket; taken: Socket }> => {
    const client = connect(port, '127.0.0.1')
    const request = once(server, 'request')
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    const [{ socket }] = (await request) as [{ socket: Socket }]
    return { client, taken: socket }
  }
  const gone = await send('/gone')
  const stays = await send('/stays')
  gone.client.destroy()
  await once(gone.taken, 'close')
  assert.deepEqual(served, [])
  release()
  await once(stays.client.resume(), 'end')
  assert.deepEqual(served, ['/stays'])
})
