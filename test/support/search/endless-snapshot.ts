/** Begins to write a snapshot into a folder, says so and goes on until the process is killed. */
import { SnapshotFiles } from '../../../src/search/memory/index/snapshots/snapshot-files.ts'

const [folder] = process.argv.slice(2)
await new SnapshotFiles(folder, Infinity).write('t', 'things', async (append) => {
  await append(Buffer.alloc(2 ** 20))
  process.send!('writing')
  await new Promise((resolve) => setTimeout(resolve, 2 ** 30))
})
