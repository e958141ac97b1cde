import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { PageFile } from '../../import/page-file.ts'
import { isInside } from './open-inside.ts'
import { readerInside } from './read-inside.ts'

interface SkippedFile {
  readonly path: string
  readonly reason: string
}

export interface FolderFiles {
  /** Markdown files, sorted by path. */
  readonly files: readonly PageFile[]
  readonly skipped: readonly SkippedFile[]
  /** The number of other files, by kind. */
  readonly others: ReadonlyMap<OtherKind, number>
  /** Whether every folder could be read. If not, a file that is missing in `files` may still exist. */
  readonly complete: boolean
}

const MARKDOWN = /\.(?:md|markdown)$/i
const IGNORED_FOLDERS = new Set(['node_modules'])

/** Kinds of files that are not imported, by their extension. */
export type OtherKind = 'image' | 'HTML' | 'PDF' | 'other'

const KIND_OF: Readonly<Record<string, OtherKind>> = {
  ...Object.fromEntries(
    ['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'avif', 'bmp', 'ico', 'tif', 'tiff'].map((end) => [end, 'image']),
  ),
  ...Object.fromEntries(['html', 'htm', 'xhtml'].map((end) => [end, 'HTML'])),
  pdf: 'PDF',
}

function kindOf(name: string): OtherKind {
  return KIND_OF[extname(name).slice(1).toLowerCase()] ?? 'other'
}

/** Lists a folder without following links. */
export type ListFolder = (folder: string) => Promise<Dirent[]>

const listFolder: ListFolder = (folder) => readdir(folder, { withFileTypes: true })

/**
 * Finds the Markdown files below a folder. Follows links within the folder, but not in circles, and ignores hidden
 * files.
 * @param list replaces the listing of the file system, for tests
 */
export async function findMarkdown(root: string, list: ListFolder = listFolder): Promise<FolderFiles> {
  const files: PageFile[] = []
  const skipped: SkippedFile[] = []
  const others = new Map<OtherKind, number>()
  let complete = true

  const top = await realpath(root)
  const countOther = (name: string): void => {
    const kind = kindOf(name)
    others.set(kind, (others.get(kind) ?? 0) + 1)
  }

  /**
   * Tells whether a link leads out of the folder. By it the owner of the folder could choose other files for import.
   */
  async function leadsOut(path: string, isLink: boolean): Promise<boolean> {
    return isLink && !isInside(top, await realpath(path))
  }

  async function visit(folder: string, segments: readonly string[], above: readonly string[]): Promise<void> {
    const real = await realpath(folder)
    if (above.includes(real)) {
      skipped.push({ path: folder, reason: 'the link leads back to a folder above it' })
      return
    }
    const entries = isInside(top, real) ? (await list(real)).sort((a, b) => byCodePoint(a.name, b.name)) : null
    // If the folder became a link meanwhile, the names may be those of another folder.
    if (entries === null || (await realpath(real)) !== real) {
      skipped.push({ path: folder, reason: 'the folder was replaced while it was read' })
      complete = false
      return
    }
    for (const entry of entries) {
      const { name } = entry
      if (name.startsWith('.') || IGNORED_FOLDERS.has(name)) continue
      const path = join(folder, name)
      try {
        const stats = await stat(path)
        if (await leadsOut(path, entry.isSymbolicLink())) {
          if (stats.isDirectory() || MARKDOWN.test(name))
            skipped.push({ path, reason: 'the link leads out of the folder' })
          else countOther(name)
        } else if (stats.isDirectory()) await visit(path, [...segments, name], [...above, real])
        else if (!MARKDOWN.test(name)) countOther(name)
        else if (stats.isFile()) files.push({ path, segments: [...segments, name], read: readerInside(top, path) })
        else skipped.push({ path, reason: 'it is not a regular file' })
      } catch (error) {
        skipped.push({ path, reason: await unreadable(path, error as NodeJS.ErrnoException) })
        complete = false
      }
    }
  }

  await visit(root, [], [])
  return { files, skipped, others, complete }
}

async function unreadable(path: string, { code, message }: NodeJS.ErrnoException): Promise<string> {
  const isLink = await lstat(path).then(
    (entry) => entry.isSymbolicLink(),
    () => false,
  )
  if (isLink && (code === 'ENOENT' || code === 'ELOOP')) return 'the link leads nowhere'
  return code === 'EACCES' ? 'no permission to read it' : message
}

/** Compares names by code points, so that the order is the same on every machine, whatever its locale. */
function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
