// Runs the gate three times beside two processes that keep two cores busy, and fails when one run fails: a test that
// judges the machine's speed shows itself.
import { fork, spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './runtime.mjs'

const BUSY_PROCESSES = 2

const { values } = parseArgs({
  options: { times: { type: 'string', default: '3' }, busy: { type: 'boolean', default: false } },
})
if (values.busy) keepBusy()
const times = Number(values.times)
if (!Number.isInteger(times) || times < 1) {
  process.stderr.write('--times is a whole number of at least 1\n')
  process.exit(2)
}
const busy = Array.from({ length: BUSY_PROCESSES }, () => fork(import.meta.filename, ['--busy']))
process.on('exit', () => busy.forEach((child) => child.kill()))
const seconds: string[] = []
for (let i = 1; i <= times; i++) {
  process.stdout.write(`Run ${i} of ${times} …\n`)
  const startedMs = performance.now()
  const runner = spawn(process.execPath, [join(root, 'scripts/test.ts')], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => runner.kill(signal))
  const code = await new Promise<number>((resolve) => runner.on('exit', (value) => resolve(value ?? 1)))
  seconds.push(((performance.now() - startedMs) / 1_000).toFixed(0))
  if (code !== 0) {
    process.stderr.write(`Run ${i} of ${times} failed after ${seconds.at(-1)} s\n`)
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
