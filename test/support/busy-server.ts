/**
 * Serves each request slowly and closes every connection, in a process of its own. The first argument is the port. The
 * server says `up` to its parent, and leaves the port at the parent's first message.
 */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { leave, Traffic } from '../../src/platform/http/transport/traffic.ts'
import type { HttpApp } from '../../src/platform/http/route.ts'

const BUSY_MS = 1

const server = createServer(async (request, response) => {
  request.resume()
  await new Promise((resolve) => request.on('end', resolve))
  const untilMs = performance.now() + BUSY_MS
  while (performance.now() < untilMs);
  // As long as a database takes.
  await sleep(1)
  response.setHeader('connection', 'close')
  response.end('served')
})
const traffic = new Traffic(null, () => undefined)
traffic.guard(server)
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send!('up'))
process.once('message', async () => {
  await leave({ traffic, server } as unknown as HttpApp, 50)
  process.exit(0)
})
