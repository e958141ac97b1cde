import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { appliedMigrations } from '../../platform/database/migrate.ts'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { SecretBox } from '../../platform/secrets.ts'
import { BackupError, type Manifest } from '../backup/manifest.ts'
import { requireWritten } from '../backup/own-file.ts'
import { requireBackup } from '../backup/restore-backup.ts'
import { keyOfBackup } from '../backup/restored-key.ts'
import { withPart } from '../backup/staging.ts'
import { resealer } from '../seals/sealed.ts'
import type { RowChange } from './copied-rows.ts'
import { copyData, type CopyWords } from './copy.ts'
import { stageDump } from './staged-dump.ts'

/** What of a backup is restored, and how. */
export interface TenantRestore {
  readonly tenantId: string
  /** Whether the tenant that the installation has gives way. */
  readonly replaces: boolean
  /** Whether to restore without the key that opens the sealed values of the backup. */
  readonly anyKey: boolean
  readonly signal?: AbortSignal
}

/**
 * Restores one tenant from a backup of an installation into the installation of the settings, in one transaction and
 * beside a service that runs. What is sealed with the key of the backup is sealed with that of the installation.
 * @returns the description of the backup, and how many rows each restored table has
 * @throws BackupError, Fault
 */
export async function restoreTenant(
  config: Config,
  path: string,
  restore: TenantRestore,
): Promise<{ manifest: Manifest; counts: Readonly<Record<string, number>> }> {
  const { tenantId, replaces, anyKey, signal } = restore
  const manifest = requireBackup(path)
  const to = { dataDir: config.dataDir, databaseUrl: config.databaseUrl }
  await requireSameSchema(to, path, manifest)
  const key = keyOfBackup(config, path, manifest, anyKey)
  const reseals = key !== null && key !== config
  const change: RowChange = reseals ? resealer(SecretBox.of(key), SecretBox.of(config)) : (_table, row) => row
  await requireWritten(path, manifest)
  const words: CopyWords = {
    source: 'the backup',
    target: 'the installation',
    ifTaken: replaces
      ? 'they are of no tenant that could give way, so remove them first'
      : 'add --replace to put the tenant of the backup in its place',
  }
  const copy = (dataDir: string): Promise<Record<string, number>> =>
    copyData({ from: { dataDir, databaseUrl: null }, to, tenantId, change, renaming: null, replaces, words })
  if (manifest.database === 'sqlite') return { manifest, counts: await copy(path) }
  const counts = await withPart(config.dataDir, async (part) => {
    await stageDump(join(path, manifest.file), part, { tenantId, manifest, backup: config.backup, signal })
    return copy(part)
  })
  return { manifest, counts }
}

/** @throws BackupError unless the installation and the backup have the same schema */
async function requireSameSchema(
  place: Pick<Config, 'dataDir' | 'databaseUrl'>,
  path: string,
  { migrations }: Manifest,
): Promise<void> {
  const applied = await withSnapshot(place, appliedMigrations)
  if (applied.toSorted().join() === migrations.toSorted().join()) return
  throw new BackupError(
    `${path} has another schema than the installation. Restore it into an empty place, update that with knowledge ` +
      'migrate, back it up, and restore the tenant from there.',
  )
}
