import { readConfig } from '../../config.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { type CommandLine, readArguments, refuseMore } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { connect } from './context.ts'

const LINE = {
  usage: 'migrate',
  about:
    'Updates the schema of the database to this version, as a start of the service does: all of it or nothing, and never\n' +
    'back. Other commands refuse a database that is older or newer than they are. Stop the service and back up first.',
  options: {},
} satisfies CommandLine<Record<string, never>>

export const lines = [LINE]

/** Updates the schema, and makes it in an empty database. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  refuseMore(words.positionals, 'migrate')
  const { dataDir, databaseUrl } = readConfig(call.env)
  const database = openDatabase({ dataDir, databaseUrl })
  try {
    await connect(database)
    const applied = await migrate(database)
    const what = applied.length === 0 ? 'The schema was up to date' : `Applied ${applied.join(', ')}`
    call.stderr.write(`${what}\n`)
    return 0
  } finally {
    await database.close()
  }
}
