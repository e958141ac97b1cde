import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import type { QueueWorkerData } from '../../src/embedding/queue-worker.ts'

export { targetsOf } from '../../src/composition/embedding-targets.ts'

// Lets the first thread that loads it die a moment later, and no other.
const mark = join((workerData as QueueWorkerData).database.dataDir, 'has-crashed')
if (!existsSync(mark)) {
  writeFileSync(mark, '')
  setImmediate(() => {
    throw new Error('a crash for the test')
  })
}
