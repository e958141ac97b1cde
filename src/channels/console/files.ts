import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
}

/** A file of the build, named by the hash of its content. */
interface Asset {
  readonly type: string
  readonly content: Buffer
  /** Compressed on first use; null when that does not make it smaller. */
  gzipped(): Buffer | null
}

/** The built console, held in memory. */
export interface ConsoleFiles {
  readonly index: Buffer
  /** By file name. */
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

function assetOf(name: string, content: Buffer): Asset {
  let packed: Buffer | null | undefined
  const gzipped = (): Buffer | null => {
    if (packed === undefined) {
      const small = gzipSync(content, { level: 9 })
      packed = small.length < content.length ? small : null
    }
    return packed
  }
  return { type: TYPES[extname(name)] ?? 'application/octet-stream', content, gzipped }
}
