import { type Config, readConfig } from '../../config.ts'
import { type MadeBackup, makeBackup } from '../../composition/backup/make-backup.ts'
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

/** Backs up the installation. It needs no schema of this version, so that a backup can be made before an upgrade. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  const [path, ...more] = words.positionals
  if (path === undefined) throw new UsageError('Say where: knowledge backup FOLDER')
  refuseMore(more, 'backup')
  const config = readConfig(call.env)
  await requireAnswer(config)
  return undoneByInterrupt(config, call, async (signal) => {
    const made = await makeBackup(config, path, signal)
    tell(made, call)
    await note(config, made, call)
    return 0
  })
}

/** Tells the metrics of the backup. The service notes those that it makes by itself, by which it knows the next one. */
async function note(config: Config, made: MadeBackup, call: CommandCall): Promise<void> {
  if (config.backup.everyHours !== null) return
  try {
    await noteBackup(config, made)
  } catch (error) {
    const { message } = error as Error
    call.stderr.write(`Metrics and the doctor do not tell of this backup: it could not be noted (${message})\n`)
  }
}

function tell({ path, manifest }: MadeBackup, call: CommandCall): void {
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
