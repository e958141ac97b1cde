// Runs the gate three times beside two processes that keep two cores busy, and fails when one run fails: a test that
// judges the machine's speed shows itself.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './runtime.mjs'
import { readOptions, refuse } from './options.ts'

const BUSY_PROCESSES = 2

const values = readOptions({
  options: { times: { type: 'string', default: '3' }, busy: { type: 'boolean', default: false } },
})
if (values.busy) keepBusy()
const times = Number(values.times)
if (!Number.isInteger(times) || times < 1) refuse('--times is a whole number of at least 1, such as --times=3')
const busy = Array.from({ length: BUSY_PROCESSES }, () => fork(import.meta.filename, ['--busy']))
process.on('exit', () => busy.forEach((child) => child.kill()))
const seconds: string[] = []
let runner = null as ChildProcess | null
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true
    runner?.kill(signal)
  })
}
for (let i = 1; i <= times; i++) {
  process.stdout.write(`Run ${i} of ${times} …\n`)
  const startedMs = performance.now()
  const child = spawn(process.execPath, [join(root, 'scripts/test.ts')], { stdio: 'inherit' })
  runner = child
  const code = await new Promise<number>((resolve) => child.on('exit', (value) => resolve(value ?? 1)))
  seconds.push(((performance.now() - startedMs) / 1_000).toFixed(0))
  if (code !== 0) {
    process.stderr.write(
      `Run ${i} of ${times} ${isInterrupted ? 'was interrupted' : 'failed'} after ${seconds.at(-1)} s\n`,
    )
    process.exit(1)
  }
}
process.stdout.write(`Passed ${times} times beside ${BUSY_PROCESSES} busy processes: ${seconds.join(', ')} s\n`)
process.exit(0)

/** Keeps a core busy until the parent is gone. */
function keepBusy(): never {
  const parent = process.ppid
  while (process.ppid === parent) continue
  process.exit()
}
