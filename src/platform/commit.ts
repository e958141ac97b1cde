import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** File in a copy of the program without git, such as the container's image. */
const COMMIT_FILE = 'COMMIT'
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/**
 * Reads which commit a folder has: from the file `COMMIT`, else from git's own files, so that no git is needed. Changes
 * that are not committed do not show.
 * @returns the commit's full name; null where neither tells
 */
export function readCommit(folder: string): string | null {
  const noted = read(join(folder, COMMIT_FILE))
  if (noted !== null) return valid(noted)
  const git = gitFolder(folder)
  const head = read(join(git, 'HEAD'))
  const ref = head === null ? null : (/^ref: (refs\/\S+)$/.exec(head)?.[1] ?? null)
  if (ref === null) return valid(head)
  // A work tree of its own shares the branches of the clone that it belongs to.
  const shared = read(join(git, 'commondir'))
  const common = shared === null ? git : isAbsolute(shared) ? shared : join(git, shared)
  const packed = (read(join(common, 'packed-refs')) ?? '').split('\n').find((line) => line.endsWith(` ${ref}`))
  return valid(read(join(common, ref)) ?? packed?.split(' ', 1)[0] ?? null)
}

function gitFolder(folder: string): string {
  const named = /^gitdir: (.+)$/.exec(read(join(folder, '.git')) ?? '')?.[1]
  if (named === undefined) return join(folder, '.git')
  return isAbsolute(named) ? named : join(folder, named)
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

function valid(name: string | null): string | null {
  return name !== null && COMMIT.test(name) ? name : null
}

/** The program's commit; null in a copy that does not tell. */
export const PROGRAM_COMMIT = readCommit(ROOT)
