import { type Config, readConfig } from '../../config.ts'
import { type NewBackup, makeBackup } from '../../composition/backup/make-backup.ts'
import { noteBackup } from '../../composition/backup/note-backup.ts'
import { type CommandLine, readArguments, refuseMore } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { requireAnswer } from './context.ts'
import { countedRows } from './counted.ts'
import { UsageError } from './failure.ts'
import { undoneByInterrupt } from './interrupt.ts'

const LINE = {
  usage: 'backup FOLDER',
  about:
    'Backs up everything of all tenants while the service runs: the database, and secret.key where the key is a file.\n' +
    'The backup is a folder of its own, readable by its owner only, which appears once it is complete and verified.\n' +
    'FOLDER is the new folder; in a folder that exists the backup gets a name with the time. `knowledge restore`\n' +
    'restores it. A backup has everything that the service acknowledged before the command was called.',
  options: {},
} satisfies CommandLine<Record<string, never>>

export const lines = [LINE]

/** Backs up the installation. The schema may be older, so that operators can make a backup before an upgrade. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  const [path, ...more] = words.positionals
  if (path === undefined) throw new UsageError('Say where: knowledge backup FOLDER')
  refuseMore(more, 'backup')
  const config = readConfig(call.env)
  await requireAnswer(config)
  return undoneByInterrupt(config, call, async (signal) => {
    const backup = await makeBackup(config, path, signal)
    tell(backup, call)
    await note(config, backup, call)
    return 0
  })
}

/**
 * Notes a backup for the metrics, unless the service makes backups by itself: by its notes it knows when to make one.
 */
async function note(config: Config, backup: NewBackup, call: CommandCall): Promise<void> {
  if (config.backup.everyHours !== null) return
  try {
    await noteBackup(config, backup)
  } catch (error) {
    const { message } = error as Error
    call.stderr.write(`Metrics and the doctor do not tell of this backup: it could not be noted (${message})\n`)
  }
}

function tell({ path, manifest }: NewBackup, call: CommandCall): void {
  const { bytes, tables, secret } = manifest
  call.stderr.write(`${countedRows(tables)}, ${megabytes(bytes)}, backed up and verified\n`)
  if (secret.kept === 'setting') {
    call.stderr.write('SECRET_KEY is a setting and not in the backup: keep it in another place, you need both.\n')
  }
  call.stdout.write(`${path}\n`)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`
}
