import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Asset, assetOf } from '../../platform/pages/assets.ts'

/** The files of the built console, in memory. */
export interface ConsoleFiles {
  readonly index: Buffer
  /** Assets by file name, which has the hash of the content. */
  readonly assets: ReadonlyMap<string, Asset>
}

/**
 * Reads the built console into memory.
 * @returns null when the console is not built
 */
export function readConsole(folder: string): ConsoleFiles | null {
  try {
    const index = readFileSync(join(folder, 'index.html'))
    const names = readdirSync(join(folder, 'assets'))
    const assets = new Map(names.map((name) => [name, assetOf(name, readFileSync(join(folder, 'assets', name)))]))
    return { index, assets }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
