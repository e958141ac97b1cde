import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import type { QueueWorkerData } from '../../src/embedding/queue-worker.ts'

export { targetsOf } from '../../src/composition/embedding-targets.ts'

// The first thread that loads this module crashes shortly after; later ones do not.
const mark = join((workerData as QueueWorkerData).database.dataDir, 'has-crashed')
if (!existsSync(mark)) {
  writeFileSync(mark, '')
  setImmediate(() => {
    throw new Error('a crash for the test')
  })
}
