// Runs tests: starts a PostgreSQL for those that want one, then Node's own runner. Without options it runs the gate; with
// --quick the first part of it, on SQLite alone; with --all everything at full counts; with --postgres=15 what reads and
// writes a database, on that PostgreSQL alone. Files on the command line run instead of a tier's. Other options are the
// runner's.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { OPTIONAL_PROGRAMS, type OptionalProgram } from '../test/support/optional-programs.ts'
import { folderOf, isInstalled, POSTGRES_VERSIONS } from '../test/support/postgres-versions.ts'
import { makeRunFolder } from '../test/support/fleeting-folder.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { makeTemplate } from '../test/support/template.ts'
import { joinPackages } from './joined-packages.ts'
import { chosenFiles } from './testing/chosen-files.ts'
import { nameMissing } from './testing/missing.ts'
import { refuse } from './options.ts'
import { codeState, RunState } from './testing/run-state.ts'
import { testRuns } from './testing/test-runs.ts'
import { filesOf, testFiles } from './testing/tiers.ts'

/** Option of Node. A service fills many young heaps, and starting them at full size saves an eighth of the time. */
const HEAP = '--min-semi-space-size=16'
/** Milliseconds that no process takes, so only a test that waits for ever without a bound of its own reaches them. */
const HANG_MS = 45 * 60_000
/**
 * Tests that read and write a database: those of stores, of the routes of the API, and of who may see which entries.
 */
const STORING = ['src/**/*.test.ts', 'test/{api,isolation}/*.test.ts']

/** Folders that are removed at the end. */
const temporary: string[] = []
// The folders are removed also when the run fails.
process.on('exit', () => {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true })
})
const { positionals, tokens, values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    postgres: { type: 'string' },
    // Set by `npm run test:all`: a folder that records the processes that passed, so that the next run leaves them out.
    state: { type: 'string' },
  },
  strict: false,
  allowPositionals: true,
  tokens: true,
})
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const OWN = new Set(['quick', 'all', 'postgres', 'state'])
const tier = values.quick === true ? 'quick' : values.all === true ? 'all' : 'gate'
const major = textOf(values.postgres)
const others = tokens.filter((token) => token.kind === 'option').filter(({ name }) => !OWN.has(name))
for (const { index, rawName, value } of others) {
  const next = tokens.find((token) => token.index === index + 1)
  if (value === undefined && next?.kind === 'positional')
    refuse(`Write ${rawName}=${next.value}, or the files before ${rawName}`)
}
const flags = others.map(({ rawName, value }) => (value === undefined ? rawName : `${rawName}=${value}`))
if (major !== null) {
  if (!POSTGRES_VERSIONS.has(Number(major)))
    refuse(`--postgres is one of ${[...POSTGRES_VERSIONS.keys()].toSorted((a, b) => a - b).join(', ')}`)
  if (!isInstalled(Number(major)))
    refuse(`PostgreSQL ${major} is not installed: npm ci --prefix ${folderOf(Number(major))} --ignore-scripts`)
  process.env.TEST_POSTGRES_MAJOR = major
}
const files = filesToRun()
const keptIn = textOf(values.state)
const state = keptIn === null ? new RunState(temporaryFolder('outcomes'), 'any') : new RunState(keptIn, codeState())
// The whole run has named it.
if (positionals.length === 0 && major === null && keptIn === null) nameMissing(missingPrograms())

let postgres = null as Awaited<ReturnType<typeof startPostgres>> | null
let runner = null as ChildProcess | null
let isInterrupted = false
const interrupt = (signal: NodeJS.Signals): void => {
  isInterrupted = true
  runner?.kill(signal)
}
for (const signal of SIGNALS) process.on(signal, interrupt)
let code = 1
try {
  code = await run()
} finally {
  await postgres?.stop()
}
process.exit(code)

async function run(): Promise<number> {
  const passed = state.passed()
  const runs = testRuns(files, passed, temporaryFolder('runs'))
  if (runs.length === 0) {
    process.stdout.write('All of these tests passed before\n')
    return 0
  }
  if (keptIn !== null)
    process.stdout.write(`${runs.length} processes, the longest first; ${passed.size} passed before\n`)
  const inMemory = makeRunFolder()
  if (inMemory !== null) temporary.push(inMemory)
  const wantsServer = tier !== 'quick' && process.env.TEST_POSTGRES_URL === undefined
  if (wantsServer) postgres = await startPostgres()
  // Its package would end this process at a signal while the tests still write.
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal)) if (listener !== interrupt) process.off(signal, listener)
  const postgresUrl = postgres?.url ?? process.env.TEST_POSTGRES_URL
  if (postgresUrl !== undefined) await makeTemplate(postgresUrl)
  const preloads = [new URL('../test/support/untracked-promises.ts', import.meta.url)]
  // What the tests run on PostgreSQL is judged by the rules of Citus afterwards.
  const recorded = postgresUrl === undefined ? null : temporaryFolder('statements')
  if (recorded !== null) {
    // Tests also start programs as other users. None may remove what another has noted.
    chmodSync(recorded, 0o1777)
    preloads.push(new URL('../test/distribution/recording.ts', import.meta.url))
  }
  const only = tier === 'quick' ? 'sqlite' : major === null ? process.env.TEST_DATABASES : 'postgresql'
  const options = [
    '--test',
    HEAP,
    `--test-timeout=${HANG_MS}`,
    ...preloads.map(({ href }) => `--import=${href}`),
    // Each process often waits for the disk, a browser or a database.
    `--test-concurrency=${availableParallelism() + 2}`,
    ...reporters(),
    ...flags,
  ]
  // Threads and the programs that tests start load the joined packages too.
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${await joinPackages()}`
  if (isInterrupted) return 1
  const child = spawn(process.execPath, [...options, ...runs], {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS,
      TEST_TIER: tier === 'all' ? 'all' : 'gate',
      TEST_RUNS: String(runs.length),
      TEST_POSTGRES_URL: postgresUrl,
      ...(only === undefined ? {} : { TEST_DATABASES: only }),
      ...(recorded === null ? {} : { RECORDED_STATEMENTS: recorded }),
    },
  })
  runner = child
  const ended = await new Promise<number>((resolve) => child.on('exit', (value) => resolve(value ?? 1)))
  nameSkipped()
  if (recorded === null) return ended
  // Reasons of the gate excuse what only other tests run.
  const isComplete = ended === 0 && tier === 'all' && positionals.length === 0 && only === undefined
  return (await staysWithTenants(keptIn === null ? recorded : state.keepStatements(recorded), isComplete)) ? ended : 1
}

function temporaryFolder(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `knowledge-tests-${what}-`))
  temporary.push(folder)
  return folder
}

/** Says after the tests how many suites and tests were skipped for which reason. In CI the summary stays the last. */
function nameSkipped(): void {
  if (process.env.CI !== undefined) return
  for (const [why, { length }] of Map.groupBy(state.skipped(), (reason) => reason))
    process.stderr.write(`Skipped ${length} ${length === 1 ? 'test or suite' : 'tests and suites'}: ${why}\n`)
}

/**
 * Returns the reporters' flags. A long run gets a line for each process and each failure, other runs one for every
 * test.
 */
function reporters(): string[] {
  const module = (name: string) => new URL(`testing/${name}.ts`, import.meta.url).href
  const pairs: [reporter: string, destination: string][] = [[module('outcomes'), state.outcomesFile]]
  if (!flags.some((flag) => flag.startsWith('--test-reporter')))
    pairs.push([tier === 'all' || major !== null ? module('progress') : 'spec', 'stdout'])
  else if (!flags.some((flag) => flag.startsWith('--test-reporter-destination')))
    flags.push('--test-reporter-destination=stdout')
  return pairs.flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ])
}

/**
 * Prints the statements that break a rule of distribution, and prints nothing else, so that the runner's summary stays
 * last.
 * @param isComplete whether every excuse should have been used in this run
 * @returns whether no statement broke a rule
 */
async function staysWithTenants(folder: string, isComplete: boolean): Promise<boolean> {
  const { judgeRecorded } = await import('../test/distribution/judge-recorded.ts')
  const { statements, offences, unused } = judgeRecorded(folder)
  // Some excuses are for what happens now and then, so an unused one fails nothing.
  if (isComplete)
    for (const each of unused) process.stderr.write(`${each} in placement.ts excused nothing in this run\n`)
  if (offences.length === 0) return true
  for (const each of offences) process.stderr.write(`${each}\n`)
  process.stderr.write(`Of ${statements} statements on PostgreSQL ${offences.length} break a rule of distribution\n`)
  // Statements are judged together, so whether they are right is known only once all have run again.
  state.forget()
  return false
}

function filesToRun(): string[] {
  if (positionals.length > 0) return chosenFiles(positionals)
  if (major === null) return filesOf(tier)
  return testFiles(STORING).filter((file) => /\bon(?:Each|Any)Database\(/.test(readFileSync(file, 'utf8')))
}

/** Returns the programs that the tests of this tier use and the machine lacks. */
function missingPrograms(): OptionalProgram[] {
  if (tier === 'quick') return []
  const programs = Object.values<OptionalProgram>(OPTIONAL_PROGRAMS)
  return programs.filter((each) => (each.tier === 'gate' || tier === 'all') && !each.isThere())
}

function textOf(value: string | boolean | undefined): string | null {
  return typeof value === 'string' ? value : null
}
