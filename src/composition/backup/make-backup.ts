import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { hasDatabase } from '../../platform/database/sqlite-file.ts'
import { PROGRAM_COMMIT } from '../../platform/commit.ts'
import { formerSecretFile, secretFile } from '../../platform/secret-file.ts'
import { VERSION } from '../../platform/version.ts'
import { keyNoteOf } from '../seals/key-note.ts'
import { BackupError, backupName, digestOf, isBackup, type Manifest, writeManifest } from './manifest.ts'
import { dumpPostgresData } from './postgres-data.ts'
import { copySqliteData } from './sqlite-data.ts'
import { copyPrivately, isFolder, stageFolder } from './staging.ts'

export interface NewBackup {
  readonly path: string
  readonly manifest: Omit<Manifest, 'format'>
  readonly tookMs: number
}

/**
 * Backs up the database and its secret key while the service runs, and verifies the backup. Every write that the
 * service acknowledged before the call is in it.
 * @param path folder to create for the backup; or an existing folder, in which one named after the time is created
 * @param signal stops a dump of PostgreSQL; a copy of SQLite goes on to its end
 * @throws BackupError
 */
export async function makeBackup(config: Config, path: string, signal?: AbortSignal): Promise<NewBackup> {
  const begunAt = new Date()
  // Inside a backup another one would be removed with it, and a restore of the outer one would never find it.
  if (isBackup(path))
    throw new BackupError(
      `${path} is a backup already. Name the folder that it is in, or a backup that does not exist yet.`,
    )
  const target = resolve(isFolder(path) ? join(path, backupName(begunAt)) : path)
  if (config.databaseUrl === null && !hasDatabase(config.dataDir))
    throw new BackupError(
      `There is no database in ${config.dataDir}. Set DATABASE_URL or DATA_DIR as the service has it.`,
    )
  const manifest = await stageFolder(target, async (folder) => {
    const copy =
      config.databaseUrl === null
        ? await copySqliteData(config, folder)
        : await dumpPostgresData(config, folder, signal)
    // The key is copied after the data: a first key may be made while they are copied, and must open what it sealed.
    const here = keyNoteOf(config)
    if (here.kept === 'file') copyPrivately(secretFile(config.dataDir), secretFile(folder))
    if (here.former !== undefined) copyPrivately(formerSecretFile(config.dataDir), formerSecretFile(folder))
    // The note is of the copy, so that it is true whatever becomes of the file meanwhile.
    const secret = here.kept === 'file' ? keyNoteOf({ secretKey: null, dataDir: folder }) : here
    const digest = await digestOf(join(folder, copy.file))
    const written = {
      program: VERSION,
      commit: PROGRAM_COMMIT,
      begun_at: begunAt.toISOString(),
      ...copy,
      ...digest,
      secret,
    }
    writeManifest(folder, written)
    return written
  })
  return { path: target, manifest, tookMs: Date.now() - begunAt.getTime() }
}
