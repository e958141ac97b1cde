import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { pauseOf } from '../../../../platform/threads/slices.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

let cached: Promise<string> | null = null

/**
 * Returns a hash of the whole program: its files, the versions of its dependencies and of Node, whose Unicode the
 * analysis uses. A snapshot of another program is not used, so a change of the analysis, or of the code that reads
 * documents, cannot leave a stale index behind, even if its author forgets the snapshots.
 */
export function programHash(): Promise<string> {
  cached ??= hashProgram()
  return cached
}

async function hashProgram(): Promise<string> {
  const pause = pauseOf('program')
  const hash = createHash('sha256')
  hash.update(JSON.stringify([process.versions, endianness()]))
  hash.update(readFileSync(join(ROOT, 'package.json')))
  const files = await readdir(join(ROOT, 'src'), { recursive: true })
  for (const file of files.sort()) {
    if (!/\.(?:ts|wasm)$/.test(file) || file.endsWith('.test.ts')) continue
    // Synchronous reads: through the pool of threads a thousand small files would take four times as long.
    hash.update(`\n${file}\n`).update(readFileSync(join(ROOT, 'src', file)))
    await pause()
  }
  return hash.digest('hex')
}
