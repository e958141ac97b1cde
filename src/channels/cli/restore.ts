import { readConfig } from '../../config.ts'
import { restoreBackup } from '../../composition/backup/restore-backup.ts'
import { type CommandLine, type Option, readArguments, refuseMore } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { requireAnswer } from './context.ts'
import { countedRows } from './counted.ts'
import { UsageError } from './failure.ts'
import { undoneByInterrupt } from './interrupt.ts'

const OPTIONS = {
  'any-key': { type: 'boolean', help: 'go on with another secret key, and without what only the old one opens' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'restore BACKUP [options]',
  about:
    'Restores a backup that `knowledge backup` made, into DATA_DIR without a database, or into the PostgreSQL database\n' +
    'of DATABASE_URL without tables. Anywhere else it refuses: a restore replaces nothing. The backup is compared with\n' +
    'what it says of itself before anything appears. Then start the service, which updates an older schema.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

/** Restores a backup. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  const [path, ...more] = words.positionals
  if (path === undefined) throw new UsageError('Say which: knowledge restore BACKUP')
  refuseMore(more, 'restore')
  const config = readConfig(call.env)
  await requireAnswer(config)
  const anyKey = words.values['any-key'] === true
  return undoneByInterrupt(config, call, async (signal) => {
    const { begun_at: begunAt, tables } = await restoreBackup(config, path, { anyKey, signal })
    const where = config.databaseUrl === null ? config.dataDir : 'PostgreSQL'
    call.stderr.write(`${countedRows(tables)} restored to ${where}, as of ${begunAt}\n`)
    return 0
  })
}
