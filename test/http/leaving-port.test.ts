import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'

const ROUNDS = 10
const CLIENTS = 8

/** What becomes of a request on a connection of its own: `served`, or the code of the error. */
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
