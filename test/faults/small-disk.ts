import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small file system that a test can fill completely and empty again. */
interface SmallDisk {
  readonly dir: string
  fill(): void
  clear(): void
  remove(): void
}

/** Mounts a small disk; null where that is impossible. It takes Linux and the right to mount. */
export function smallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux') return null
  const dir = mkdtempSync(join(tmpdir(), 'knowledge-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir])
  if (mounted.status !== 0) {
    rmdirSync(dir)
    return null
  }
  const filler = join(dir, 'filler')
  return {
    dir,
    fill() {
      const file = openSync(filler, 'a')
      try {
        for (const size of [65_536, 4_096, 1]) {
          const bytes = Buffer.alloc(size)
          while (writes(file, bytes)) continue
        }
      } finally {
        closeSync(file)
      }
    },
    clear: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', ['--lazy', dir])
      rmdirSync(dir)
    },
  }
}

/** Tells whether all bytes fitted. */
function writes(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOSPC') return false
    throw error
  }
}
