import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { databaseFile } from '../../src/platform/database/sqlite-file.ts'

/** Makes another process hold the write lock of a data directory. Call the returned function to release it. */
export async function holdLock(dataDir: string): Promise<() => Promise<void>> {
  const program = join(import.meta.dirname, 'hold-lock.ts')
  const holder = spawn(process.execPath, [program, databaseFile(dataDir)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(holder, 'exit')
  await once(holder.stdout, 'data')
  return async () => {
    holder.stdin.end()
    await ended
  }
}
