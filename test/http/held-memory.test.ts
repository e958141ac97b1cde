import assert from 'node:assert/strict'
import { connect, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import {
  HELD_BY_ADDRESS_MAX,
  HELD_BY_CREDENTIAL_MAX,
  HELD_BY_TENANT_MAX,
} from '../../src/platform/http/transport/held-memory.ts'
import { Contract, Text } from '../../src/platform/contract/schema.ts'
import type { HttpApp } from '../../src/platform/http/route.ts'
import { CREDENTIAL, start } from './support.ts'
import { HANG_MS, until } from '../support/patience.ts'

const MEBIBYTE = 1_024 * 1_024
/** Page whose answer exceeds the buffers of the system. */
const PAGE = 'x'.repeat(16 * MEBIBYTE)
const PAGES = HELD_BY_CREDENTIAL_MAX / PAGE.length
const REFUSED = /^HTTP\/1\.1 429 .*Retry-After: 5\r\n.*"type":"too_many_unread_answers"/is

interface Frame {
  readonly app: HttpApp
  readonly open: (request: string, text?: string) => Promise<Reader>
  readonly send: Awaited<ReturnType<typeof start>>['send']
  readonly heldBytes: () => number
  readonly calls: () => number
  /** Releases the requests of `/gated` once that many have arrived. */
  readonly gate: (count: number) => void
}

/** A client that reads only the first piece of an answer until asked for the rest. */
interface Reader {
  readonly socket: Socket
  readonly head: string
  /**
   * Reads on.
   * @returns the number of further bytes until the connection closes
   */
  readonly rest: () => Promise<number>
}

async function frame(options: Parameters<typeof start>[1] = {}): Promise<Frame> {
  let calls = 0
  let waiting = Promise.withResolvers<void>()
  let expected = 0
  const { app, port, send } = await start((http) => {
    const page = (): string => {
      calls++
      return PAGE
    }
    http.get('/page', page)
    http.get('/api/knowledge/suggest', page)
    http.get('/tagged', (_request, reply) =>
      reply.header('etag', '"1"').header('cache-control', 'max-age=9').send(page()),
    )
    http.get('/public', { config: { public: true } }, page)
    http.post('/ask', { config: { readsOnly: true } }, page)
    http.post('/write', page)
    http.get('/small', () => {
      calls++
      return 'small'
    })
    const gated = async (): Promise<string> => {
      if (--expected === 0) waiting.resolve()
      await waiting.promise
      return page()
    }
    http.get('/gated', gated)
    http.post('/gated', gated)
    http.get('/stream', (_request, reply) =>
      reply.send(Readable.from(Array.from({ length: 400 }, () => 'x'.repeat(MEBIBYTE / 8)))),
    )
  }, options)
  const sockets: Socket[] = []
  after(() => sockets.forEach((socket) => socket.destroy()))
  const open = (request: string, text = ''): Promise<Reader> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${request}Host: a\r\n\r\n${text}`))
      sockets.push(socket)
      socket.on('error', reject)
      socket.once('data', (first: Buffer) => {
        socket.pause()
        socket.off('error', reject).on('error', () => socket.destroy())
        resolve({ socket, head: first.toString('latin1'), rest: () => restOf(socket, first.length) })
      })
    })
  return {
    app,
    open,
    send,
    heldBytes: () => app.heldMemory.bytes,
    calls: () => calls,
    gate: (count) => {
      expected = count
      waiting = Promise.withResolvers()
    },
  }
}

function restOf(socket: Socket, already: number): Promise<number> {
  return new Promise((resolve) => {
    let bytes = already
    socket.on('data', (piece: Buffer) => (bytes += piece.length))
    socket.on('close', () => resolve(bytes))
    socket.resume()
  })
}

const line = (method: string, path: string, credential = CREDENTIAL) =>
  `${method} ${path} HTTP/1.1\r\nAuthorization: ${credential}\r\nConnection: close\r\n`
const get = (path: string, credential?: string) => line('GET', path, credential)
const isGood = ({ head }: Reader) => head.startsWith('HTTP/1.1 200 ')

test('a client with unread answers gets 429 before any work is done, until its connections close; others are not affected', async () => {
  const { open, heldBytes, calls, send } = await frame()
  const readers: Reader[] = []
  for (let i = 0; i < 6; i++) readers.push(await open(get('/page')))
  // One more page than the bound has room for: reaching the bound is allowed, exceeding it is not.
  assert.deepEqual(readers.map(isGood), [true, true, true, false, false, false])
  assert.match(readers[3].head, REFUSED)
  assert.equal(calls(), PAGES + 1)
  for (const [method, path] of [
    ['GET', '/small'],
    ['POST', '/write'],
    ['POST', '/ask'],
  ]) {
    assert.match((await open(line(method, path))).head, REFUSED, path)
  }
  assert.equal(calls(), PAGES + 1)
  assert.equal((await send('GET', '/small', { headers: { authorization: 'Bearer other' } })).status, 200)
  for (const { socket } of readers) socket.destroy()
  await until(() => heldBytes() === 0, 'nothing is held')
  assert.equal((await send('GET', '/page')).text.length, PAGE.length)
  assert.equal(heldBytes(), 0)
})

test('thirty requests at once get no more answers than thirty in a row', async () => {
  const { open, gate, heldBytes } = await frame()
  gate(30)
  const readers = await Promise.all(Array.from({ length: 30 }, () => open(get('/gated'))))
  assert.equal(readers.filter(isGood).length, PAGES + 1)
  assert.ok(readers.filter((reader) => !isGood(reader)).every(({ head }) => REFUSED.test(head)))
  // Each answer counts for its credential and for its tenant.
  assert.equal(heldBytes(), 2 * (PAGES + 1) * PAGE.length)
})

test('an answer that was read completely no longer counts', async () => {
  const { open, heldBytes, send } = await frame()
  const readers = await Promise.all(Array.from({ length: PAGES + 1 }, () => open(get('/page'))))
  assert.match((await open(get('/page'))).head, REFUSED)
  for (const reader of readers) assert.ok((await reader.rest()) > PAGE.length)
  await until(() => heldBytes() === 0, 'nothing is held')
  assert.equal((await send('GET', '/page')).status, 200)
})

test('the answer to a write is always sent, however much is unread', async () => {
  const { open, gate } = await frame()
  gate(PAGES + 3)
  const writes = await Promise.all(Array.from({ length: PAGES + 3 }, () => open(line('POST', '/gated'))))
  assert.ok(writes.every(isGood))
  assert.match((await open(line('POST', '/write'))).head, REFUSED)
})

test('a refusal has no header of the answer that it replaces', async () => {
  const { open } = await frame()
  for (let i = 0; i <= PAGES; i++) assert.match((await open(get('/tagged'))).head, /^HTTP\/1\.1 200 .*etag: "1"/is)
  const { head } = await open(get('/tagged'))
  assert.match(head, REFUSED)
  assert.match(head, /cache-control: no-store\r\n/i)
  assert.doesNotMatch(head, /etag/i)
})

test('visitors of a page share its key, and none of them holds what the others need', async () => {
  const { open } = await frame({ trustProxy: 1 })
  const from = (address: string) =>
    open(`${get('/api/knowledge/suggest', 'Bearer page')}X-Forwarded-For: ${address}\r\n`)
  for (let i = 0; i <= PAGES; i++) assert.ok(isGood(await from('198.51.100.1')))
  assert.match((await from('198.51.100.1')).head, REFUSED)
  assert.ok(isGood(await from('198.51.100.2')))
})

test('visitors from many addresses leave room for the people of the tenant', async () => {
  const { open } = await frame({ trustProxy: 1 })
  const from = (address: string) =>
    open(`${get('/api/knowledge/suggest', 'Bearer page')}X-Forwarded-For: ${address}\r\n`)
  const addresses = Array.from({ length: 7 }, (_, i) => `198.51.100.${i}`)
  for (const address of addresses) assert.ok(isGood(await from(address)))
  assert.match((await from('203.0.113.1')).head, REFUSED)
  assert.ok(isGood(await open(get('/page'))))
})

test('all credentials of a tenant share one bound', async () => {
  const { open, gate } = await frame()
  const count = HELD_BY_TENANT_MAX / PAGE.length
  gate(count)
  assert.ok((await Promise.all(Array.from({ length: count }, () => open(line('POST', '/gated'))))).every(isGood))
  assert.ok(isGood(await open(get('/small', 'Bearer other'))))
  assert.ok(isGood(await open(get('/page', 'Bearer other'))))
  assert.match((await open(get('/small', 'Bearer other'))).head, REFUSED)
})

test('without a credential the address counts, which does not affect requests with a credential', async () => {
  const { open, send } = await frame()
  const count = HELD_BY_ADDRESS_MAX / PAGE.length + 1
  const request = 'GET /public HTTP/1.1\r\nConnection: close\r\n'
  const readers = await Promise.all(Array.from({ length: count + 2 }, () => open(request)))
  assert.equal(readers.filter(isGood).length, count)
  assert.match(readers.find((reader) => !isGood(reader))?.head ?? '', REFUSED)
  assert.equal((await send('GET', '/page')).status, 200)
})

test('small answers behind an unread one count too, and the requests that wait on a connection are limited', async () => {
  const { open, heldBytes } = await frame()
  const more = `${get('/small').replace('Connection: close\r\n', '')}Host: a\r\n\r\n`
  const first = get('/page').replace('Connection: close\r\n', '')
  const { socket, head } = await open(first, more.repeat(300))
  assert.match(head, /^HTTP\/1\.1 200 /)
  assert.ok(heldBytes() > 2 * PAGE.length)
  const answers = await new Promise<string>((resolve) => {
    const pieces: Buffer[] = []
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    socket.on('close', () => resolve(Buffer.concat(pieces).toString('latin1')))
    socket.resume()
  })
  assert.equal(answers.match(/HTTP\/1\.1 200 /g)?.length, 32)
  assert.match(answers, /HTTP\/1\.1 429 .*"type":"too_many_requests"/s)
  await until(() => heldBytes() === 0, 'nothing is held')
})

test('bodies that are still being sent count too, with a length or in chunks', async () => {
  const { app, port, send } = await start((http) => {
    http.post('/body', { schema: { body: Contract('Sent', { text: Text({ maxLength: 3_000_000 }) }) } }, () => ({}))
  })
  const head = `POST /body HTTP/1.1\r\nHost: a\r\nAuthorization: ${CREDENTIAL}\r\nContent-Type: application/json\r\n`
  const sockets: Socket[] = []
  after(() => sockets.forEach((socket) => socket.destroy()))
  const begin = (rest: string): Socket => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head + rest))
    socket.on('error', () => socket.destroy())
    sockets.push(socket)
    return socket
  }
  const bytes = 2 * MEBIBYTE
  const count = HELD_BY_CREDENTIAL_MAX / bytes
  for (let i = 0; i <= count; i++) begin(`Content-Length: ${bytes}\r\n\r\n{`)
  await until(() => app.heldMemory.bytes === 2 * (count + 1) * bytes, 'all bodies count')
  const refused = await send('POST', '/body', { json: { text: 'x'.repeat(20_000) } })
  assert.equal(`${refused.status} ${refused.detail[0].type}`, '429 too_many_unread_answers')
  for (const socket of sockets.splice(0)) socket.destroy()
  await until(() => app.heldMemory.bytes === 0, 'nothing is held')
  begin(`Transfer-Encoding: chunked\r\n\r\n${MEBIBYTE.toString(16)}\r\n${' '.repeat(MEBIBYTE)}`)
  await until(() => app.heldMemory.bytes >= 2 * MEBIBYTE - 2 * 16_384, 'the chunk counts')
  sockets[0].destroy()
  await until(() => app.heldMemory.bytes === 0, 'nothing is held')
  assert.equal((await send('POST', '/body', { json: { text: 'x'.repeat(20_000) } })).status, 200)
  assert.equal(app.heldMemory.bytes, 0)
})

/** Resolves when the server has closed the next connection that it takes. */
function closedBy(server: Server): Promise<void> {
  return new Promise((resolve) => server.once('connection', (socket) => socket.once('close', () => resolve())))
}

/** Starts a frame that answers only after the client has gone. */
async function lateFrame() {
  const gone = Promise.withResolvers<void>()
  let requests = 0
  let answers = 0
  const late = async (request: FastifyRequest): Promise<string> => {
    request.raw.socket.once('close', () => setImmediate(gone.resolve))
    requests++
    await gone.promise
    answers++
    return PAGE
  }
  const { app, port } = await start((http) => {
    http.get('/late', late)
    http.post('/late', { schema: { body: Contract('Late', { text: Text({ maxLength: 3_000_000 }) }) } }, late)
  })
  return {
    heldBytes: () => app.heldMemory.bytes,
    inFlight: () => app.traffic.inFlight,
    /** Sends requests and disconnects once all have arrived. */
    leave: async (text: string, count: number): Promise<void> => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      await until(() => requests === count, 'all requests have arrived')
      socket.destroy()
      await until(() => answers === count, 'all answers are made')
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('an answer does not count if its client has gone before', async () => {
  const { heldBytes, leave } = await lateFrame()
  await leave(`${get('/late')}Host: a\r\n\r\n`, 1)
  assert.equal(heldBytes(), 0)
})

test('an answer to a long body does not count either', async () => {
  const { heldBytes, leave } = await lateFrame()
  const body = JSON.stringify({ text: 'x'.repeat(MEBIBYTE) })
  const head = `${line('POST', '/late')}Host: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  await leave(`${head}\r\n${body}`, 1)
  assert.equal(heldBytes(), 0)
})

test('a request that waits on a closed connection is neither started nor counted', async () => {
  const { heldBytes, inFlight, leave } = await lateFrame()
  await leave(`${get('/late').replace('Connection: close\r\n', '')}Host: a\r\n\r\n`.repeat(3), 1)
  assert.equal(heldBytes(), 0)
  assert.equal(inFlight(), 0)
})

test('a connection whose client reads nothing is closed, and its memory is released', async () => {
  const { app, open, heldBytes } = await frame({ unreadTimeoutMs: 100, idleTimeoutMs: HANG_MS })
  const reader = await open(get('/page'))
  assert.equal(heldBytes(), 2 * PAGE.length)
  await until(() => heldBytes() === 0, 'nothing is held')
  assert.ok((await reader.rest()) < PAGE.length)
  const closed = closedBy(app.server)
  const stream = await open(get('/stream'))
  await closed
  assert.ok((await stream.rest()) < 400 * (MEBIBYTE / 8))
})

test('an idle connection without a waiting answer gets the longer timeout', async () => {
  let isClosed = false
  const gate = Promise.withResolvers<void>()
  const { app, port } = await start(
    (http) => {
      http.get('/slow', async () => {
        await gate.promise
        return 'done'
      })
      http.get('/page', () => PAGE)
    },
    { unreadTimeoutMs: 50, idleTimeoutMs: HANG_MS },
  )
  const socket = connect(port, '127.0.0.1', () => socket.write(`${get('/slow')}Host: a\r\n\r\n`))
  after(() => socket.destroy())
  let answer = ''
  socket.on('data', (piece: Buffer) => (answer += piece.toString()))
  socket.on('close', () => (isClosed = true))
  await until(() => app.traffic.inFlight === 1, 'the request has arrived')
  // One that came later and reads nothing is closed first.
  const closed = closedBy(app.server)
  const unread = connect(port, '127.0.0.1', () => unread.write(`${get('/page')}Host: a\r\n\r\n`))
  after(() => unread.destroy())
  unread.on('error', () => undefined).pause()
  await closed
  assert.equal(isClosed, false)
  gate.resolve()
  await until(() => isClosed, 'the connection is closed')
  assert.match(answer, /done$/)
})
