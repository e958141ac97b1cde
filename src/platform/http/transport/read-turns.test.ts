import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '../../../../test/support/patience.ts'
import { ReadTurns } from './read-turns.ts'

/** A connection that tells whether it is read. */
class Line extends EventEmitter {
  isRead = true
  pause(): void {
    this.isRead = false
  }
  resume(): void {
    this.isRead = true
  }
}

function stage() {
  let nowMs = 0
  const rests: { readonly end: () => void; readonly ms: number }[] = []
  const turns = new ReadTurns(
    () => nowMs,
    (end, ms) => void rests.push({ end, ms }),
  )
  const open = (address: string): Line => {
    const line = new Line()
    turns.add(line as unknown as Socket, address)
    turns.begin(line as unknown as Socket)
    return line
  }
  const watch = (line: Line) => turns.watch(line as unknown as Socket)
  const read = (line: Line, length = 0) =>
    turns.noteRead({ socket: line, readableLength: length, readableHighWaterMark: 10 } as unknown as IncomingMessage)
  return { turns, rests, open, watch, read, pass: (ms: number) => void (nowMs += ms) }
}

test('the connections of an address with small pieces are read one in a turn, and those of others all the time', async () => {
  const { open, watch, read } = stage()
  const lines = [open('a'), open('a'), open('a')]
  const other = open('b')
  read(lines[0])
  assert.ok(lines.every(({ isRead }) => isRead))
  watch(lines[0])
  read(lines[0])
  const late = open('a')
  await turn()
  assert.deepEqual(
    [...lines, late].map(({ isRead }) => isRead),
    [false, false, false, false],
    'a connection that arrives goes before any reading',
  )
  for (let round = 1; round <= 4; round++) {
    await turn()
    assert.equal([...lines, late].filter(({ isRead }) => isRead).length, round)
    assert.ok(other.isRead)
  }
})

test('a connection whose reader is behind waits for its reader, and a closed one for nothing', async () => {
  const { turns, open, watch, read } = stage()
  const [first, behind] = [open('a'), open('a')]
  watch(first)
  first.emit('close')
  assert.equal(turns.countOf('a'), 1)
  read(behind, 10)
  assert.ok(turns.isWaiting(behind as unknown as Socket))
  await turn()
  assert.deepEqual([turns.isWaiting(behind as unknown as Socket), behind.isRead], [false, false])
})

test('after each reading the other addresses have three times as long, at most a tenth of a second', async () => {
  const { rests, open, watch, pass } = stage()
  const lines = [open('a'), open('a'), open('a'), open('a')]
  watch(lines[0])
  const others = lines.slice(1)
  await turn()
  for (const [n, [took, rest]] of [
    [5, 15],
    [500, 100],
  ].entries()) {
    pass(took)
    await turn()
    assert.deepEqual(
      rests.map(({ ms }) => ms),
      [rest],
    )
    await turn()
    assert.equal(others.filter(({ isRead }) => isRead).length, n + 1)
    rests.pop()!.end()
  }
  assert.ok(others.every(({ isRead }) => isRead))
})

test('a real connection that arrives while its address is read in turns is not read before its turn', async () => {
  let nowMs = 0
  const rests: (() => void)[] = []
  // Each reading seems to take long.
  const turns = new ReadTurns(
    () => (nowMs += 100),
    (end) => void rests.push(end),
  )
  const arrived: Socket[] = []
  const server = createServer((_request, response) => response.end())
  server.on('connection', (socket: Socket) => {
    turns.add(socket, 'a')
    turns.begin(socket)
    arrived.push(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients = [1, 2, 3].map(() => {
    const client = connect(port, '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    return client
  })
  try {
    await until(() => arrived.length === 3, 'all connections are there')
    turns.watch(arrived[0])
    await until(() => rests.length === 1, 'one of the others was read')
    const late = connect(port, '127.0.0.1')
    clients.push(late)
    late.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(() => arrived.length === 4, 'another connection is there')
    for (let n = 0; n < 20; n++) await turn()
    assert.equal(arrived[3].bytesRead, 0)
    for (const n of [1, 2, 3]) {
      await until(() => rests.length > 0, `rest ${n} has begun`)
      rests.pop()!()
    }
    await until(() => arrived[3].bytesRead > 0, 'it is read in its turn')
  } finally {
    for (const client of clients) client.destroy()
    server.close()
  }
})

test('ten seconds after the last small piece an address is like any other', async () => {
  const { open, watch, read, pass } = stage()
  const line = open('a')
  watch(line)
  pass(9_999)
  watch(line)
  pass(9_999)
  const late = open('a')
  await new Promise<void>((resolve) => process.nextTick(resolve))
  assert.equal(late.isRead, false)
  pass(1)
  const later = open('a')
  await new Promise<void>((resolve) => process.nextTick(resolve))
  assert.equal(later.isRead, true)
  read(line)
  assert.equal(line.isRead, true)
})
