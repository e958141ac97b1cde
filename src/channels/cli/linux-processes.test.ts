import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { listeningPorts } from './linux-processes.ts'

const skip = process.platform !== 'linux' && 'only Linux tells'

test('the ports on which a process takes connections are known, over IPv4 and IPv6', { skip }, async (t) => {
  const servers = ['127.0.0.1', '::'].map((host) => createServer().listen(0, host))
  t.after(() => servers.forEach((server) => server.close()))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  const known = listeningPorts(String(process.pid))
  for (const port of ports) assert.ok(known.includes(port), `${port} of ${known.join(', ')}`)
  servers[0].close()
  await once(servers[0], 'close')
  assert.ok(!listeningPorts(String(process.pid)).includes(ports[0]))
})

test('a process that is gone has no ports', () => {
  assert.deepEqual(listeningPorts('0'), [])
})
