import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { hasDatabase, makeFolder } from '../../platform/database/sqlite-file.ts'
import { formerSecretFile, secretFile } from '../../platform/secret-file.ts'
import { BackupError } from './manifest.ts'

/** Begins the names of folders that are not complete yet, or that are being removed. */
export const PART_PREFIX = '.backup-part-'
/** A folder of another machine counts as abandoned after this time without a change. */
const ABANDONED_MS = 24 * 3_600_000

/** Tells whether a path is a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/**
 * Makes a folder under a temporary name, and gives it its own name once `fill` has filled it. So a folder with that
 * name is complete, however the process ends.
 * @throws BackupError when something with that name exists
 */
export async function stageFolder<T>(path: string, fill: (folder: string) => Promise<T>): Promise<T> {
  const target = resolve(path)
  const parent = dirname(target)
  if (existsSync(target)) throw new BackupError(`${path} exists already. Name a backup that does not exist yet.`)
  return withPart(parent, async (part) => {
    const result = await fill(part)
    for (const name of readdirSync(part)) sync(join(part, name))
    sync(part)
    renameSync(part, target)
    sync(parent)
    return result
  })
}

/**
 * Makes a temporary folder in `parent` for `work`, and removes it afterwards. Before that it makes a missing `parent`,
 * and removes what dead processes left in it.
 */
export async function withPart<T>(parent: string, work: (part: string) => Promise<T>): Promise<T> {
  const part = join(parent, `${PART_PREFIX}${hostname()}-${process.pid}`)
  try {
    makeFolder(parent)
    removeLeftovers(parent)
    // It must be new: where all users may write, such as /tmp, another user may have made it as a trap.
    mkdirSync(part, { mode: 0o700 })
  } catch (error) {
    throw new BackupError(`Cannot write to ${parent} (${(error as NodeJS.ErrnoException).code}).`)
  }
  try {
    return await work(part)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}

/**
 * Removes temporary folders that a dead process of this machine left in a folder, or another machine long ago, and the
 * key of a restore that was killed before its data appeared.
 */
export function removeLeftovers(parent: string): void {
  if (!isFolder(parent)) return
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PART_PREFIX)) continue
    const part = join(parent, name)
    if (!isAbandoned(part, name.slice(PART_PREFIX.length))) continue
    for (const file of [secretFile, formerSecretFile])
      if (!hasDatabase(parent) && isSameFile(file(part), file(parent))) rmSync(file(parent))
    rmSync(part, { recursive: true, force: true })
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => lstatSync(file, { bigint: true, throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}

function isAbandoned(part: string, rest: string): boolean {
  const host = `${hostname()}-`
  const pid = rest.startsWith(host) ? /^\d+/.exec(rest.slice(host.length))?.[0] : undefined
  if (pid !== undefined) return Number(pid) === process.pid || !isRunning(Number(pid))
  const changedAt = [part, ...readdirSync(part).map((name) => join(part, name))].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  return Math.max(...changedAt) < Date.now() - ABANDONED_MS
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Waits until a file, or the names in a folder, are on disk. Windows cannot sync folders, and need not. */
export function sync(path: string): void {
  if (process.platform === 'win32' && isFolder(path)) return
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Copies a file to another that only its owner may read, and waits until it is on disk. */
export function copyPrivately(file: string, target: string): void {
  copyFileSync(file, target)
  chmodSync(target, 0o600)
  sync(target)
}
