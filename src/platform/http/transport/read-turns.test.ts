import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
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
  const turns = new ReadTurns(() => nowMs)
  const open = (address: string): Line => {
    const line = new Line()
    turns.add(line as unknown as Socket, address)
    turns.begin(line as unknown as Socket)
    return line
  }
  const watch = (line: Line) => turns.watch(line as unknown as Socket)
  const read = (line: Line, length = 0) =>
    turns.noteRead({ socket: line, readableLength: length, readableHighWaterMark: 10 } as unknown as IncomingMessage)
  return { turns, open, watch, read, pass: (ms: number) => void (nowMs += ms) }
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
  assert.deepEqual(
    [...lines, late].map(({ isRead }) => isRead),
    [false, false, false, false],
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

test('ten seconds after the last small piece an address is like any other', () => {
  const { open, watch, read, pass } = stage()
  const line = open('a')
  watch(line)
  pass(9_999)
  watch(line)
  pass(9_999)
  assert.equal(open('a').isRead, false)
  pass(1)
  assert.equal(open('a').isRead, true)
  read(line)
  assert.equal(line.isRead, true)
})
