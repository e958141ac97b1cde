// Runs tests: starts a PostgreSQL for those that want one, then Node's own runner. Without options it runs the gate; with
// --quick the first part of it, on SQLite alone; with --all everything at full counts; with --postgres=15 what stores
// something on that PostgreSQL alone. Files on the command line run instead of a tier's. Other options are the runner's.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installLine, OPTIONAL_PROGRAMS, type OptionalProgram } from '../test/support/optional-programs.ts'
import { makeRunFolder } from '../test/support/fleeting-folder.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { makeTemplate } from '../test/support/template.ts'
import { joinPackages } from './joined-packages.ts'
import { BROKEN_DISTRIBUTION } from './testing/exit-codes.ts'
import type { Outcome } from './testing/outcomes.ts'
import { testRuns } from './testing/test-runs.ts'
import { filesOf, testFiles } from './testing/tiers.ts'

/** A service fills many young heaps. Starting them at full size saves an eighth of the time. */
const HEAP = '--min-semi-space-size=16'
/** The stores' own tests, every route of the API, and who may see what: between them every statement runs. */
const STORING = ['src/**/*.test.ts', 'test/{api,isolation}/*.test.ts']

const { positionals, tokens, values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    postgres: { type: 'string' },
    // Those of `npm run test:all`: where outcomes are written, and a file of outcomes whose passed runs are left out.
    outcomes: { type: 'string' },
    passed: { type: 'string' },
  },
  strict: false,
  allowPositionals: true,
  tokens: true,
})
const OWN = new Set(['quick', 'all', 'postgres', 'outcomes', 'passed'])
const tier = values.quick === true ? 'quick' : values.all === true ? 'all' : 'gate'
const major = textOf(values.postgres)
const flags = tokens
  .filter((token) => token.kind === 'option')
  .filter(({ name }) => !OWN.has(name))
  .map(({ rawName, value }) => (value === undefined ? rawName : `${rawName}=${value}`))
const files = chosenFiles()
if (files.length === 0) {
  process.stderr.write(`No test file matches ${positionals.join(' ')}\n`)
  process.exit(1)
}
if (major !== null) process.env.TEST_POSTGRES_MAJOR = major
if (positionals.length === 0 && major === null) nameMissing()

const passed = values.passed === undefined ? [] : readOutcomes(String(values.passed))
const runs = testRuns(files, new Set(passed.flatMap((each) => (each.kind === 'run' && each.hasPassed ? each.run : []))))
if (runs.files.length === 0) {
  runs.remove()
  process.stdout.write('All of these tests passed before\n')
  process.exit(0)
}
const runFolder = makeRunFolder()
const work = mkdtempSync(join(tmpdir(), 'knowledge-tests-'))
// Also where something fails on the way.
process.on('exit', () => {
  for (const folder of [work, runFolder]) if (folder !== null) rmSync(folder, { recursive: true, force: true })
})
const isStarted = tier !== 'quick' && process.env.TEST_POSTGRES_URL === undefined
const postgres = isStarted ? await startPostgres() : null
const postgresUrl = postgres?.url ?? process.env.TEST_POSTGRES_URL
if (postgresUrl !== undefined) await makeTemplate(postgresUrl)
const preloads = [new URL('../test/support/untracked-promises.ts', import.meta.url)]
// What the tests run on PostgreSQL is judged by the rules of Citus afterwards.
const recorded = postgresUrl === undefined ? null : mkdtempSync(join(tmpdir(), 'knowledge-statements-'))
if (recorded !== null) {
  chmodSync(recorded, 0o777)
  preloads.push(new URL('../test/distribution/recording.ts', import.meta.url))
}
const outcomesFile = textOf(values.outcomes) ?? join(work, 'outcomes')
const only = tier === 'quick' ? 'sqlite' : major === null ? process.env.TEST_DATABASES : 'postgresql'
const options = [
  '--test',
  HEAP,
  ...preloads.map(({ href }) => `--import=${href}`),
  // Each process often waits for the disk, a browser or a database.
  `--test-concurrency=${availableParallelism() + 2}`,
  ...reporters(),
  ...flags,
]
// Threads and the programs that tests start load the joined packages too.
const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${await joinPackages()}`
const runner = spawn(process.execPath, [...options, ...runs.files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_OPTIONS,
    TEST_TIER: tier === 'all' ? 'all' : 'gate',
    TEST_RUNS: String(runs.files.length),
    TEST_POSTGRES_URL: postgresUrl,
    ...(only === undefined ? {} : { TEST_DATABASES: only }),
    ...(recorded === null ? {} : { RECORDED_STATEMENTS: recorded }),
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
const code = await new Promise<number>((resolve) => runner.on('exit', (value) => resolve(value ?? 1)))
runs.remove()
await postgres?.stop()
nameSkipped(readOutcomes(outcomesFile))
const stays = recorded === null || (await staysWithTenants(recorded))
process.exit(code === 0 && !stays ? BROKEN_DISTRIBUTION : code)

/** Names what this machine lacks before the tests begin, so that nobody has to look for it among thousands of lines. */
function nameMissing(): void {
  const missing = Object.values<OptionalProgram>(OPTIONAL_PROGRAMS).filter(
    (program) => (program.tier === 'gate' || tier === 'all') && tier !== 'quick' && !program.isThere(),
  )
  if (missing.length === 0) return
  const lines = missing.map(
    ({ name, proves, needs }) => `  ${name}${needs === undefined ? '' : ` (as ${needs})`}: ${proves}`,
  )
  process.stderr.write(
    `Not on this machine, so what is named beside it ${process.env.CI === undefined ? 'is skipped' : 'fails'}:\n` +
      `${lines.join('\n')}\nThis installs what is missing: ${installLine(missing)}\n\n`,
  )
}

/** Says after the tests how many suites and tests were skipped for which reason. In CI the summary stays the last. */
function nameSkipped(outcomes: readonly Outcome[]): void {
  if (process.env.CI !== undefined) return
  const reasons = outcomes.flatMap((each) => (each.kind === 'skipped' ? each.why : []))
  for (const [why, { length }] of Map.groupBy(reasons, (reason) => reason))
    process.stderr.write(`Skipped ${length} ${length === 1 ? 'test or suite' : 'tests and suites'}: ${why}\n`)
}

/** A line for each process and each failure for a long run, every test for others. */
function reporters(): string[] {
  const module = (name: string) => new URL(`testing/${name}.ts`, import.meta.url).href
  const pairs: [reporter: string, destination: string][] = [[module('outcomes'), outcomesFile]]
  if (!flags.some((flag) => flag.startsWith('--test-reporter')))
    pairs.push([tier === 'all' || major !== null ? module('progress') : 'spec', 'stdout'])
  else if (!flags.some((flag) => flag.startsWith('--test-reporter-destination')))
    flags.push('--test-reporter-destination=stdout')
  return pairs.flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ])
}

function readOutcomes(file: string): Outcome[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Outcome)
}

/** Prints what broke a rule, and else nothing: the runner's summary stays the last. @returns whether nothing did */
async function staysWithTenants(folder: string): Promise<boolean> {
  const { judgeRecorded } = await import('../test/distribution/judge-recorded.ts')
  const { statements, offences, unused } = judgeRecorded(folder)
  rmSync(folder, { recursive: true })
  const isComplete = tier === 'all' && positionals.length === 0 && only === undefined && passed.length === 0
  // Some excuses are for what happens now and then, so an unused one fails nothing.
  if (isComplete && code === 0) {
    for (const each of unused) process.stderr.write(`${each} in placement.ts excused nothing in this run\n`)
  }
  if (offences.length === 0) return true
  for (const each of offences) process.stderr.write(`${each}\n`)
  process.stderr.write(`Of ${statements} statements on PostgreSQL ${offences.length} break a rule of distribution\n`)
  return false
}

function chosenFiles(): string[] {
  if (positionals.length > 0) return testFiles(positionals)
  if (major === null) return filesOf(tier)
  return testFiles(STORING).filter((file) => readFileSync(file, 'utf8').includes('onEachDatabase('))
}

function textOf(value: string | boolean | undefined): string | null {
  return typeof value === 'string' ? value : null
}
