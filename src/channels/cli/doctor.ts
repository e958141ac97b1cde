import { type Config, ConfigError, readConfig } from '../../config.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { DatabaseRefused } from '../../platform/database/refusals.ts'
import { MigrationError } from '../../platform/database/migrate.ts'
import { type CommandLine, readArguments, refuseMore } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { type DatabaseCheck, fail, type Finding, lineOf, ok, type PlaceCheck } from './doctor/check.ts'
import {
  checkBackups,
  checkEmbedder,
  checkIntegrity,
  checkKeys,
  checkReferences,
  checkSchema,
  checkSeals,
  checkTenants,
} from './doctor/database-checks.ts'
import { checkIndexes } from './doctor/index-checks.ts'
import {
  checkClock,
  checkDataDirectory,
  checkMemory,
  checkNode,
  checkOtherProcesses,
  checkPort,
  checkSecret,
  checkSpace,
} from './doctor/place-checks.ts'
import { checkSearch } from './doctor/search-check.ts'
import { DOCTOR_OAUTH } from './doctor/oauth/line.ts'
import { CommandFailed } from './failure.ts'
import { connect } from './context.ts'

const LINE = {
  usage: 'doctor',
  about:
    'Checks the machine, the settings, the database and the embedding provider, and says what to do. It changes\n' +
    'nothing. The exit code is 1 when something is broken, and 0 when there are only warnings.\n\n' +
    'knowledge doctor oauth checks whether assistants can connect to the running service.',
  options: {},
} satisfies CommandLine<Record<string, never>>

export const lines = [LINE, DOCTOR_OAUTH]

const PLACE_CHECKS: Readonly<Record<string, PlaceCheck>> = {
  runtime: checkNode,
  clock: checkClock,
  port: checkPort,
  search: checkSearch,
  data: checkDataDirectory,
  secret: checkSecret,
  space: checkSpace,
  memory: checkMemory,
  processes: checkOtherProcesses,
}

const DATABASE_CHECKS: Readonly<Record<string, DatabaseCheck>> = {
  database: async (database) => {
    const startedAt = performance.now()
    await connect(database)
    return ok(`answers in ${(performance.now() - startedAt).toFixed(1)} ms`)
  },
  schema: checkSchema,
  integrity: checkIntegrity,
  references: checkReferences,
  keys: checkKeys,
  seals: checkSeals,
  backups: checkBackups,
  embedding: checkEmbedder,
  tenants: checkTenants,
  indexes: checkIndexes,
}

/** Names of the checks whose failure ends the doctor, because no later check can run then. */
const PREREQUISITES: ReadonlySet<string> = new Set(['data', 'database', 'schema'])

/** Prints a line for each check. @returns exit code 1 when a check failed */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const [topic, ...rest] = args
  if (topic === 'oauth') return (await import('./doctor/oauth/command.ts')).run(rest, call)
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  refuseMore(words.positionals, 'doctor')
  const config = readSettings(call)
  if (config === null) return 1
  let worst = 0
  for (const [name, check] of Object.entries(PLACE_CHECKS)) {
    const failed = await report(call, name, () => check(config))
    worst = Math.max(worst, failed)
    if (failed > 0 && PREREQUISITES.has(name)) return worst
  }
  const database = openDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, readOnly: true })
  try {
    for (const [name, check] of Object.entries(DATABASE_CHECKS)) {
      const failed = await report(call, name, () => check(database, config))
      worst = Math.max(worst, failed)
      if (failed > 0 && PREREQUISITES.has(name)) return worst
    }
    return worst
  } finally {
    await close(database)
  }
}

/** Reads the settings, and prints whether they are right. @returns null when they are faulty */
function readSettings(call: CommandCall): Config | null {
  try {
    const config = readConfig(call.env)
    print(call, 'settings', ok('understood'))
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.lines) print(call, 'settings', fail(line))
    return null
  }
}

/** Runs a check and prints a line for each finding. @returns 1 when one is a failure, else 0 */
async function report(
  call: CommandCall,
  name: string,
  check: () => Promise<Finding | readonly Finding[]>,
): Promise<number> {
  let findings: Finding | readonly Finding[]
  try {
    findings = await check()
  } catch (error) {
    const isExpected = [MigrationError, CommandFailed, DatabaseRefused].some((kind) => error instanceof kind)
    findings = fail(isExpected ? (error as Error).message : `the check itself failed: ${(error as Error).message}`)
  }
  const all = Array.isArray(findings) ? (findings as readonly Finding[]) : [findings as Finding]
  for (const finding of all) print(call, name, finding)
  return all.some(({ verdict }) => verdict === 'fail') ? 1 : 0
}

function print(call: CommandCall, name: string, finding: Finding): void {
  call.stdout.write(`${lineOf(name, finding)}\n`)
}

/** Closes a database without an error: a pool that never connected may fail to close, and the report is complete. */
async function close(database: Database): Promise<void> {
  await database.close().catch(() => undefined)
}
