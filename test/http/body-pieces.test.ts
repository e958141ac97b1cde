import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { Contract, Text } from '../../src/platform/contract/schema.ts'
import { logSettings } from '../../src/platform/http/logger.ts'
import { PIECE_BYTES_MIN, PIECES_FREE } from '../../src/platform/http/transport/body-pieces.ts'
import { until } from '../support/patience.ts'
import { CREDENTIAL, start } from './support.ts'

const KILOBYTE = 1_024
const Told = Contract('Told', { text: Text({ maxLength: 3_000_000 }) })

async function stage(options: Parameters<typeof start>[1] = {}) {
  const lines: string[] = []
  const logger = pino(logSettings('info'), { write: (line) => lines.push(line) })
  let lineBytes = 0
  const { app, port, raw } = await start(
    (app) => {
      app.post('/told', {
        schema: { body: Told },
        handler: ({ body }) => ({ length: (body as { text: string }).text.length }),
      })
      app.post('/lines', {
        config: { ndjson: true },
        handler: async ({ body }) => {
          for await (const piece of body as AsyncIterable<Buffer>) lineBytes += piece.length
          return { lineBytes }
        },
      })
      app.get('/short', { config: { public: true }, handler: () => ({}) })
    },
    { logger, ...options },
  )
  /** Opens a connection and returns what comes back until it closes. */
  const open = (bytes: string): { readonly socket: Socket; readonly closed: Promise<string> } => {
    const socket = connect(port, '127.0.0.1')
    after(() => socket.destroy())
    const closed = Promise.withResolvers<string>()
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
    socket.on('close', () => closed.resolve(text))
    socket.write(bytes, 'latin1')
    return { socket, closed: closed.promise }
  }
  return { app, raw, open, lines, lineBytes: () => lineBytes }
}

const head = (path: string, type = 'application/json', connection = 'close') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${CREDENTIAL}\r\nContent-Type: ${type}\r\n` +
  `Connection: ${connection}\r\nTransfer-Encoding: chunked\r\n\r\n`

/** Writes a text in chunks of so many bytes, with the chunk that ends a body. */
function chunked(text: string, bytes: number): string {
  const chunks: string[] = []
  for (let at = 0; at < text.length; at += bytes) {
    const piece = text.slice(at, at + bytes)
    chunks.push(`${piece.length.toString(16)}\r\n${piece}\r\n`)
  }
  return `${chunks.join('')}0\r\n\r\n`
}

const told = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

test('a short body may come in pieces of any size, a long one only in pieces of some bytes', async () => {
  const { raw, lines } = await stage()
  assert.match(await raw(head('/told') + chunked(told(PIECES_FREE), 1)), /^HTTP\/1\.1 200 /)
  // What one reading ends with is a piece of its own, so the average is a little less.
  for (const size of [PIECE_BYTES_MIN + 1, 100, KILOBYTE]) {
    assert.match(await raw(head('/told') + chunked(told(64 * KILOBYTE), size)), /^HTTP\/1\.1 200 /, String(size))
  }
  for (const [bytes, size] of [
    [PIECES_FREE + 1, 1],
    [64 * KILOBYTE, 1],
    [64 * KILOBYTE, PIECE_BYTES_MIN - 1],
  ]) {
    const refused = await raw(head('/told') + chunked(told(bytes), size))
    assert.match(refused, /^HTTP\/1\.1 400 .*"type":"body_in_small_pieces"/s, `${bytes} in ${size}`)
    assert.match(refused, /Connection: close/)
  }
  const said = lines.filter((line) => line.includes('pieces that are too small'))
  assert.equal(said.length, 1)
  assert.match(said[0], /"level":"warn".*"address":"127\.0\.0\.1"/)
})

test('lines of a push are judged in the same way, and none is lost while they are read in turns', async () => {
  const { raw, lineBytes } = await stage()
  const line = `${JSON.stringify({ title: 'x'.repeat(80) })}\n`
  const whole = line.repeat(10 * PIECES_FREE)
  const pushes = Array.from({ length: 4 }, () =>
    raw(head('/lines', 'application/x-ndjson') + chunked(whole, line.length)),
  )
  for (const answer of await Promise.all(pushes)) assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.equal(lineBytes(), 4 * whole.length)
  assert.match(
    await raw(head('/lines', 'application/x-ndjson') + chunked(whole, 1)),
    /^HTTP\/1\.1 400 .*body_in_small_pieces/s,
  )
})

test('connections of an address that sends small pieces wait for each other, and other requests of it are answered', async () => {
  const { open } = await stage()
  const connections = 40
  // Open before the first piece, as those of an attack are.
  const sockets = Array.from({ length: connections }, () => open(''))
  const body = head('/told') + chunked(told(512 * KILOBYTE), 1)
  for (const { socket } of sockets) socket.write(body, 'latin1')
  const others = Array.from({ length: 10 }, () => open('GET /short HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))
  for (const { closed } of others) assert.match(await closed, /^HTTP\/1\.1 200 /)
  // What the client still sends can cost it the answer, but never the end of the connection.
  for (const answer of await Promise.all(sockets.map(({ closed }) => closed))) {
    assert.match(answer, /^(?:HTTP\/1\.1 400 .*body_in_small_pieces.*)?$/s)
  }
})

test('half of an address’s connections may bring bodies that take long; the newest beyond are refused', async () => {
  const { open } = await stage({ connectionsPerAddress: 8, bodyTimeoutMs: 10_000 })
  const begun = `${head('/told')}4\r\n{"te\r\n`
  const slow = Array.from({ length: 7 }, () => open(begun))
  const refused: string[] = []
  for (const { closed } of slow) void closed.then((answer) => refused.push(answer))
  await until(() => refused.length >= 3, 'three of the connections are closed')
  assert.equal(refused.length, 3)
  for (const answer of refused) assert.match(answer, /^HTTP\/1\.1 429 .*too_many_unfinished_bodies/s)
  const left = slow.filter(({ socket }) => !socket.destroyed)
  assert.equal(left.length, 4)
  for (const { socket } of left) socket.write(`9\r\nxt":"end"\r\n1\r\n}\r\n0\r\n\r\n`)
  for (const { closed } of left) assert.match(await closed, /^HTTP\/1\.1 200 /)
})

test('of requests that are sent ahead without end hardly more is read than what is answered', async () => {
  const { app, open } = await stage()
  const arrived = once(app.server, 'connection')
  const ahead = 'GET /short HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(200_000)
  const { closed } = open(ahead)
  const [socket] = (await arrived) as [Socket]
  // What the client still sends can cost it answers, but never the end of the connection.
  await closed
  assert.ok(socket.bytesRead <= 2 * 64 * KILOBYTE, `${socket.bytesRead} of ${ahead.length} bytes were read`)
})
