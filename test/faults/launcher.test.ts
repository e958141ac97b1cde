import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { SURROUNDINGS } from '../support/program.ts'
import { HANG_MS } from '../support/patience.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Program that prints that it runs, and that it was asked to stop. */
const PROGRAM = `
  process.on('SIGTERM', () => { console.log('stopping'); process.exit() })
  setInterval(() => undefined, 1000)
  console.log('running')
`

test('a program started by npm is asked to stop when the shell between them dies of the signal', async (t) => {
  if (process.platform === 'win32') return t.skip('Windows has no such signal')
  // The trailing `true` keeps shells from replacing themselves by the program.
  const shell = spawn('sh', ['-c', '"$NODE" scripts/run.mjs -e "$PROGRAM"; true'], {
    cwd: ROOT,
    env: { ...SURROUNDINGS, NODE: process.execPath, PROGRAM, npm_package_json: join(ROOT, 'package.json') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said === 'running\n') shell.kill('SIGTERM')
  })
  // The program's standard output closes when the program ends.
  await once(shell, 'close', { signal: AbortSignal.timeout(HANG_MS) })
  assert.equal(shell.signalCode, 'SIGTERM')
  assert.equal(said, 'running\nstopping\n')
})

test('the end of a program by a signal is the end of its launcher too, so that supervisors see it', async (t) => {
  if (process.platform === 'win32') return t.skip('Windows has no such signal')
  for (const signal of ['SIGTERM', 'SIGUSR2', 'SIGKILL'] as const) {
    const launcher = spawn(process.execPath, ['scripts/run.mjs', '-e', `process.kill(process.pid, '${signal}')`], {
      cwd: ROOT,
      env: SURROUNDINGS,
      stdio: 'ignore',
    })
    const [code, by] = (await once(launcher, 'exit', { signal: AbortSignal.timeout(HANG_MS) })) as [number, string]
    assert.deepEqual([code, by], [null, signal])
  }
})
