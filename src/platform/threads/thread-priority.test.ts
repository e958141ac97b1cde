import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

const skip = platform() === 'linux' ? false : 'priorities of threads are known on Linux only'
/** Reads the nineteenth field of /proc/…/stat (proc(5)), counted behind the name, which may hold blanks. */
const niceness = (path: string): number => {
  const stat = readFileSync(path, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

test('lowering the priority of one thread leaves the others alone', { skip }, async () => {
  const url = new URL('thread-priority.ts', import.meta.url).href
  const code = `import(${JSON.stringify(url)}).then(({ giveWay }) => {
    giveWay()
    const { parentPort } = require('node:worker_threads')
    parentPort.postMessage(require('node:fs').readFileSync('/proc/thread-self/stat', 'utf8'))
  })`
  const before = niceness('/proc/thread-self/stat')
  const worker = new Worker(code, { eval: true })
  const [stat] = (await once(worker, 'message')) as [string]
  await worker.terminate()
  assert.equal(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]), 10)
  assert.equal(niceness('/proc/thread-self/stat'), before)
  assert.equal(niceness(`/proc/${process.pid}/stat`), before)
})
