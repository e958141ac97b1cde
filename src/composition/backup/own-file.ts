import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError, digestOf, type Manifest } from './manifest.ts'

/**
 * Requires a file that is the backup's own. A link would make a restore read, with the rights of the operator, what
 * another user points to, or what changes after it was compared.
 * @returns its length in bytes
 * @throws BackupError when it is missing, or a link, or has another name elsewhere (a hard link)
 */
export function requireOwnFile(file: string): number {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) throw new BackupError(`${file} is missing. Use another backup.`)
  if (stat.isFile() && stat.nlink === 1) return stat.size
  const what = stat.isFile() ? 'has another name elsewhere (a hard link)' : 'is no file but a link, or something else'
  throw new BackupError(`${file} ${what}. Restore a copy of the backup that has files of its own, as cp -rL makes it.`)
}

/**
 * Compares the data of a backup with what the backup says of them.
 * @throws BackupError when they are missing, linked, cut off or changed
 */
export async function requireWritten(path: string, manifest: Manifest): Promise<void> {
  const file = join(path, manifest.file)
  const { bytes, sha256 } = manifest
  if (requireOwnFile(file) !== bytes || (await digestOf(file)).sha256 !== sha256) throw changed(file)
}

/** Tells that a file of a backup is not as it was written. */
export function changed(file: string): BackupError {
  return new BackupError(`${file} is not as it was written: it is damaged. Use another backup.`)
}
