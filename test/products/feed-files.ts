import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knowledge } from '../cli/program.ts'
import type { TestDatabase } from '../support/databases.ts'

/** A folder for the feeds of a suite. */
export class FeedFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'knowledge-feed-'))

  /** Writes a file. @returns its path */
  write(name: string, content: string | Buffer): string {
    const path = join(this.folder, name)
    writeFileSync(path, content)
    return path
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }
}

/** Runs `knowledge import-products`. */
export async function importProducts(
  place: TestDatabase,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const { code, stdout, stderr } = await knowledge(place, ['import-products', ...args])
  return { code, said: stderr + stdout }
}
