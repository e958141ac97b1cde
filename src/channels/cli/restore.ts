import { type Config, readConfig } from '../../config.ts'
import { noteRestore } from '../../composition/backup/note-backup.ts'
import type { Manifest } from '../../composition/backup/manifest.ts'
import { restoreBackup } from '../../composition/backup/restore-backup.ts'
import { restoreTenant, type TenantRestore } from '../../composition/copying/restore-tenant.ts'
import { type CommandLine, type Option, readArguments, refuseMore } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { requireAnswer, withContext } from './context.ts'
import { countedRows } from './counted.ts'
import { UsageError } from './failure.ts'
import { undoneByInterrupt } from './interrupt.ts'

const OPTIONS = {
  tenant: { type: 'string', value: 'ID', help: 'id of the only tenant to restore, into an installation that runs' },
  replace: { type: 'boolean', help: 'with --tenant: put it in the place of the tenant that is there' },
  'any-key': { type: 'boolean', help: 'go on with another secret key, and without what only the old one opens' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'restore BACKUP [options]',
  about:
    'Restores a backup that `knowledge backup` made, into DATA_DIR without a database, or into the PostgreSQL database\n' +
    'of DATABASE_URL without tables. Anywhere else it refuses: a restore replaces nothing. The backup is compared with\n' +
    'what it says of itself before anything appears. Then start the service, which updates an older schema.\n' +
    'With --tenant one tenant of the backup comes into an installation that has others: with its entries, products,\n' +
    'people, keys, clients and audit log, at once, while the service runs. Its id, host, reference and quotas stay.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

/** Restores a backup, or a tenant of it. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  const [path, ...more] = words.positionals
  if (path === undefined) throw new UsageError('Say which: knowledge restore BACKUP')
  refuseMore(more, 'restore')
  const config = readConfig(call.env)
  await requireAnswer(config)
  const { tenant, replace = false, 'any-key': anyKey = false } = words.values
  if (tenant !== undefined) return restoreOne(config, path, { tenantId: tenant, replaces: replace, anyKey }, call)
  if (replace) throw new UsageError('--replace is for one tenant: name it with --tenant')
  return undoneByInterrupt(config, call, async (signal) => {
    const manifest = await restoreBackup(config, path, { anyKey, signal })
    const { begun_at: begunAt, tables } = manifest
    const where = config.databaseUrl === null ? config.dataDir : 'PostgreSQL'
    call.stderr.write(`${countedRows(tables)} restored to ${where}, as of ${begunAt}\n`)
    await note(config, path, manifest, call)
    return 0
  })
}

/** Notes a restore. The data are there without the note, so a note that fails is only told. */
async function note(config: Config, path: string, manifest: Manifest, call: CommandCall): Promise<void> {
  try {
    await noteRestore(config, path, manifest)
  } catch (error) {
    const { message } = error as Error
    call.stderr.write(
      `Warning: all data are restored, but not the note of it (${message}). Metrics and the doctor still tell of the ` +
        'backups of the former place: make a backup with `knowledge backup` once the service runs.\n',
    )
  }
}

/** Restores one tenant into the installation of the settings. */
async function restoreOne(
  config: Config,
  path: string,
  restore: Omit<TenantRestore, 'signal'>,
  call: CommandCall,
): Promise<number> {
  return withContext(call, { create: false }, async () =>
    undoneByInterrupt(config, call, async (signal) => {
      const { manifest, counts } = await restoreTenant(config, path, { ...restore, signal })
      call.stderr.write(
        `${countedRows(counts)} restored, as of ${manifest.begun_at}. What was ended since then, such as keys, grants and ` +
          'people, is there again: end it anew.\n',
      )
      return 0
    }),
  )
}
