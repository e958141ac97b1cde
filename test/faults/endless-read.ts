/** Loaded into every thread of a service by `--import`. Snapshots of search indexes are never read to their end. */
import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const { open } = fs

Object.assign(fs, {
  async open(path: string, ...more: [string?, number?]): Promise<FileHandle> {
    const file = await open(path, ...more)
    return path.endsWith('.snapshot') ? Object.assign(file, { read: () => new Promise(() => undefined) }) : file
  },
})
syncBuiltinESMExports()
