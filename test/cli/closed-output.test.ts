import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { ignoreClosedOutput } from '../../src/channels/cli/closed-output.ts'
import { DATABASES } from '../support/databases.ts'
import { start } from './program.ts'

test('a command whose reader has gone ends quietly, with its usual exit code', async () => {
  const place = await DATABASES[0].create()
  const codeOf = async (...args: string[]) => {
    const { process: child, finished } = start(place, args)
    child.stdout!.destroy()
    const { code, stderr } = await finished
    assert.equal(stderr, '', args.join(' '))
    return code
  }
  const codes = await Promise.all([
    codeOf('help'),
    codeOf('user', 'create', '--help'),
    // No service runs: the report and the exit code say so.
    codeOf('doctor', 'oauth', '--url', 'http://127.0.0.1:1'),
  ])
  assert.deepEqual(codes, [0, 0, 1])
  await place.remove()
})

test('output that cannot be written for another reason is still a failure', () => {
  const output = new PassThrough()
  ignoreClosedOutput(output)
  const failWith = (code: string) => output.emit('error', Object.assign(new Error(code), { code }))
  assert.throws(() => failWith('ENOSPC'), /ENOSPC/)
  assert.doesNotThrow(() => failWith('EPIPE'))
})
