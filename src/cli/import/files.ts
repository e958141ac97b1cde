import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A Markdown file: where it is, and its names from the imported folder down. */
export interface MarkdownFile {
  readonly path: string
  readonly segments: readonly string[]
}

interface Skipped {
  readonly path: string
  readonly reason: string
}

export interface FoundFiles {
  /** In the order of their paths. */
  readonly files: readonly MarkdownFile[]
  readonly skipped: readonly Skipped[]
  /** Files that are not Markdown. */
  readonly others: number
  /** False when a folder could not be read, so that what is missing here may still exist. */
  readonly complete: boolean
}

const MARKDOWN = /\.(?:md|markdown)$/i
const IGNORED_FOLDERS = new Set(['node_modules'])

/**
 * Finds the Markdown files below a folder. Follows links within the folder, but not in circles; leaves hidden names
 * alone.
 */
export async function findMarkdown(root: string): Promise<FoundFiles> {
  const files: MarkdownFile[] = []
  const skipped: Skipped[] = []
  let others = 0
  let complete = true

  const top = await realpath(root)

  /** Whoever fills the folder must not choose what else of this machine is imported. */
  async function leaves(path: string, isLink: boolean): Promise<boolean> {
    return isLink && !`${await realpath(path)}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)
  }

  async function visit(folder: string, segments: readonly string[], above: readonly string[]): Promise<void> {
    const real = await realpath(folder)
    if (above.includes(real)) {
      skipped.push({ path: folder, reason: 'the link leads back to a folder above it' })
      return
    }
    const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => byCodePoint(a.name, b.name))
    for (const entry of entries) {
      const { name } = entry
      if (name.startsWith('.') || IGNORED_FOLDERS.has(name)) continue
      const path = join(folder, name)
      try {
        const found = await stat(path)
        if (await leaves(path, entry.isSymbolicLink())) {
          if (found.isDirectory() || MARKDOWN.test(name))
            skipped.push({ path, reason: 'the link leads out of the folder' })
          else others++
        } else if (found.isDirectory()) await visit(path, [...segments, name], [...above, real])
        else if (!MARKDOWN.test(name)) others++
        else if (found.isFile()) files.push({ path, segments: [...segments, name] })
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
  return code === 'EACCES' ? 'it may not be read' : message
}

/** The same order on every machine, whatever its language. */
function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
