import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { addHealth } from '../../src/platform/http/health.ts'
import { logSettings } from '../../src/platform/http/logger.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { start } from './support.ts'
import { HANG_MS, until } from '../support/patience.ts'

const PROBES = ['/healthz', '/readyz', '/metrics']

async function stage(options: Parameters<typeof start>[1]) {
  const lines: string[] = []
  const logger = pino(logSettings('info'), { write: (line) => lines.push(line) })
  const { app, port, send } = await start(
    (http) => addHealth(http, () => Promise.resolve([]), createMetrics().registry),
    { logger, ...options },
  )
  const sockets: Socket[] = []
  after(() => sockets.forEach((socket) => socket.destroy()))
  /** Opens a silent connection. Returns what the server sends if it closes the connection at once. */
  const open = (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    const opened = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<string>()
    let text = ''
    socket.on('connect', () => opened.resolve())
    socket.on('error', () => opened.resolve())
    socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
    socket.on('close', () => closed.resolve(text))
    return { socket, opened: opened.promise, closed: closed.promise }
  }
  /** Returns the status of a request on a connection of its own. */
  const ask = async (path: string, localAddress: string): Promise<string> => {
    const { socket, closed } = open(localAddress)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    return (await closed).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
  }
  const openAll = async (count: number) => {
    const all = Array.from({ length: count }, () => open())
    await Promise.all(all.map(({ opened }) => opened))
    return all
  }
  return { app, send, open, openAll, ask, lines }
}

test('connections of an address are limited; one more gets an answer and is closed, and other addresses are not affected', async () => {
  const { open, openAll, ask, lines } = await stage({ connectionsPerAddress: 5 })
  const connections = await openAll(5)
  for (let i = 0; i < 20; i++) {
    const answer = await open().closed
    assert.match(answer, /^HTTP\/1\.1 429 .*Retry-After: 1\r\n/s)
    const { detail } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { detail: { type: string }[] }
    assert.equal(detail[0].type, 'too_many_connections')
  }
  // Other systems have only one loopback address.
  if (process.platform === 'linux') {
    for (const path of PROBES) assert.equal(await ask(path, '127.0.0.2'), '200', path)
  }
  const said = lines.filter((line) => line.includes('CONNECTIONS_PER_ADDRESS'))
  assert.equal(said.length, 1)
  assert.match(said[0], /"level":"warn".*"address":"127\.0\.0\.1"/)
  connections[0].socket.destroy()
  await connections[0].closed
  // The server learns of the end a little later than the client.
  let status = ''
  await until(async () => (status = await ask('/healthz', '127.0.0.1')) !== '429', 'there is room for a connection')
  assert.equal(status, '200')
})

test('the limit does not apply to a trusted proxy, and 0 turns it off', async () => {
  for (const options of [{ trustProxy: 1 }, { trustProxy: ['127.0.0.0/30'] }, { connectionsPerAddress: 0 }] as const) {
    const { openAll, ask } = await stage({ connectionsPerAddress: 2, ...options })
    await openAll(6)
    assert.equal(await ask('/healthz', '127.0.0.1'), '200', JSON.stringify(options))
  }
  const { openAll, ask } = await stage({ connectionsPerAddress: 2, trustProxy: ['192.0.2.0/24'] })
  await openAll(2)
  assert.equal(await ask('/healthz', '127.0.0.1'), '429')
})

test('all connections together are limited, also by the number of files that the process may open', async () => {
  const { app } = await stage({})
  const { maxConnections } = app.server
  assert.ok(maxConnections > 100 && maxConnections <= 8_192, String(maxConnections))
})

test('processes that share a port close what is too much for them, say so, and serve who is connected', async () => {
  const perProcess = 3
  const exec = fileURLToPath(import.meta.resolve('./crowded-process.ts'))
  cluster.setupPrimary({ exec, execArgv: [], args: [String(perProcess)] })
  const workers = [cluster.fork(), cluster.fork()]
  after(() => workers.forEach((worker) => worker.process.kill('SIGKILL')))
  const said: string[] = []
  cluster.on('message', (_worker, message: string) => said.push(message))
  const [[{ port }]] = (await Promise.all(workers.map((worker) => once(worker, 'listening')))) as [AddressInfo][]

  /** Returns the outcome of a request on the connection: an answer, 'closed', or 'nothing'. */
  const ask = (socket: Socket): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.setTimeout(HANG_MS, () => resolve('nothing'))
    socket.once('data', (piece: Buffer) => resolve(piece.toString()))
    socket.once('error', () => resolve('closed'))
    socket.once('close', () => resolve('closed'))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    return promise
  }
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1')
    after(() => socket.destroy())
    return socket
  }

  const served: Socket[] = []
  // Each process has its line at the first connection that it closes, and one a minute.
  while (said.length < workers.length) {
    const socket = open()
    const answer = await ask(socket)
    assert.notEqual(answer, 'nothing')
    if (answer !== 'closed') served.push(socket)
  }
  assert.equal(served.length, perProcess * workers.length)
  const more = await Promise.all(Array.from({ length: 50 }, () => ask(open())))
  assert.deepEqual(new Set(more), new Set(['closed']))
  for (const socket of served) assert.match(await ask(socket), /^HTTP\/1\.1 200 .*served$/s)
  assert.deepEqual(said, Array(workers.length).fill('too many connections: more of them are closed'))
})
