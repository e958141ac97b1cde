import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { Connections } from '../../src/platform/http/transport/connections.ts'

// One of the processes that share a port in a test of connections. It answers requests and tells the parent its log
// lines. Its bound is far below the real one, so that a test reaches it with few connections.
const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => response.end('served'))
new Connections({
  perAddress: 0,
  isProxy: () => false,
  idleTimeoutMs: 120_000,
  unreadTimeoutMs: 30_000,
}).guard(server, { warn: (_details: unknown, message?: string) => void cluster.worker!.send(message!) })
server.maxConnections = Number(process.argv[2])
server.listen(0, '127.0.0.1')
