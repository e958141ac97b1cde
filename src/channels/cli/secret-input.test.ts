import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { CommandCall } from './command-call.ts'
import { readSecret } from './secret-input.ts'

/** The parts of a terminal that `readSecret` uses. */
class Terminal extends PassThrough {
  readonly isTTY = true
  readonly modes: boolean[] = []
  shown = ''
  setRawMode(mode: boolean): void {
    this.modes.push(mode)
  }
}

async function typed(...parts: string[]) {
  const terminal = new Terminal()
  const stderr = { write: (text: string) => (terminal.shown += text) !== '' }
  const secret = readSecret('Password: ', { stdin: terminal, stderr } as unknown as CommandCall)
  for (const part of parts) terminal.write(part)
  return { secret: await secret, shown: terminal.shown, modes: terminal.modes }
}

async function piped(text: string) {
  const stdin = new PassThrough()
  stdin.end(text)
  const stderr = { write: () => assert.fail('nothing is asked for') }
  return readSecret('Password: ', { stdin, stderr } as unknown as CommandCall)
}

test('typed characters are not shown, and the mode of the terminal is restored', async () => {
  const { secret, shown, modes } = await typed('cor', 'rect hörse', '\r')
  assert.equal(secret, 'correct hörse')
  assert.equal(shown, 'Password: \n')
  assert.deepEqual(modes, [true, false])
})

test('backspace and ctrl-U correct the line, and arrow keys do nothing', async () => {
  assert.equal((await typed('abx\u007f', 'c😀\bd\u001b[A\u001b[3~\u001bOP\t', '\n')).secret, 'abcd')
  assert.equal((await typed('wrong\u0015right\r')).secret, 'right')
})

test('ctrl-C and ctrl-D cancel, and the mode of the terminal is restored', async () => {
  assert.deepEqual(await typed('abc\u0003'), { secret: null, shown: 'Password: \n', modes: [true, false] })
  assert.equal((await typed('\u0004')).secret, null)
  assert.equal((await typed('abc\u0004d\r')).secret, 'abcd')
})

test('a second prompt reads on, also what was pasted after the first line', async () => {
  const terminal = new Terminal()
  const stderr = { write: () => true }
  const read = () => readSecret('Password: ', { stdin: terminal, stderr } as unknown as CommandCall)
  const first = read()
  terminal.write('one\r')
  assert.equal(await first, 'one')
  const second = read()
  terminal.write('two\rthree\r')
  assert.equal(await second, 'two')
  assert.equal(await read(), 'three')
})

test('a pipe gives one line', async () => {
  assert.equal(await piped('correct horse\n'), 'correct horse')
  assert.equal(await piped(' with spaces \r\n'), ' with spaces ')
  assert.equal(await piped('no end of line'), 'no end of line')
  assert.equal(await piped(''), null)
  await assert.rejects(piped('one\ntwo\n'), /more than one line/)
  await assert.rejects(piped('x'.repeat(20_000)), /too long/)
})
