// Runs the tests: starts a PostgreSQL for those that want one, then Node's own runner over every test file. With
// --quick it runs units and the API on SQLite alone, with --postgres=15 what stores something on that PostgreSQL alone.
import { spawn } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { makeTemplate } from '../test/support/template.ts'
import { joinPackages } from './joined-packages.ts'
import { testRuns } from './test-runs.ts'

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts']
const QUICK = ['src/**/*.test.ts', 'test/{api,http,mcp,tidy}/*.test.ts']
/** The stores' own tests, every route of the API, and who may see what: between them every statement runs. */
const STORING = ['src/**/*.test.ts', 'test/{api,isolation}/*.test.ts']

const { positionals, tokens, values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, postgres: { type: 'string' } },
  // Other options are the runner's.
  strict: false,
  allowPositionals: true,
  tokens: true,
})
const isQuick = values.quick === true
const major = typeof values.postgres === 'string' ? values.postgres : null
const flags = tokens
  .filter((token) => token.kind === 'option')
  .filter(({ name }) => name !== 'quick' && name !== 'postgres')
  .map(({ rawName, value }) => (value === undefined ? rawName : `${rawName}=${value}`))
const files = chosenFiles()
if (files.length === 0) {
  process.stderr.write(`No test file matches ${positionals.join(' ')}\n`)
  process.exit(1)
}
if (major !== null) process.env.TEST_POSTGRES_MAJOR = major

const isStarted = !isQuick && process.env.TEST_POSTGRES_URL === undefined
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
const runs = testRuns(files)
// A service fills many young heaps. Starting them at full size saves an eighth of the time.
const heap = '--min-semi-space-size=16'
// Each process often waits for the disk, a browser or a database, so there is one more than the machine has cores. A
// further one made the whole suite no shorter.
const processes = availableParallelism() + 1
const imports = preloads.map(({ href }) => `--import=${href}`)
const options = ['--test', heap, ...imports, `--test-concurrency=${processes}`, ...flags]
const only = isQuick ? 'sqlite' : major === null ? process.env.TEST_DATABASES : 'postgresql'
// Threads and the programs that tests start load the joined packages too.
const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${await joinPackages()}`
const runner = spawn(process.execPath, [...options, ...runs.files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_OPTIONS,
    TEST_POSTGRES_URL: postgresUrl,
    ...(only === undefined ? {} : { TEST_DATABASES: only }),
    ...(recorded === null ? {} : { RECORDED_STATEMENTS: recorded }),
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
const code = await new Promise<number>((resolve) => runner.on('exit', (value) => resolve(value ?? 1)))
runs.remove()
await postgres?.stop()
process.exit(recorded === null || (await staysWithTenants(recorded)) ? code : 1)

/** Prints what broke a rule, and else nothing: the runner's summary stays the last. @returns whether nothing did */
async function staysWithTenants(folder: string): Promise<boolean> {
  const { judgeRecorded } = await import('../test/distribution/judge-recorded.ts')
  const { statements, offences, unused } = judgeRecorded(folder)
  rmSync(folder, { recursive: true })
  const isComplete = positionals.length === 0 && major === null && only === undefined && flags.length === 0
  // Some excuses are for what happens now and then, so an unused one fails nothing.
  if (isComplete && code === 0 && process.env.CI === undefined) {
    for (const each of unused) process.stderr.write(`${each} in placement.ts excused nothing in this run\n`)
  }
  if (offences.length === 0) return true
  for (const each of offences) process.stderr.write(`${each}\n`)
  process.stderr.write(`Of ${statements} statements on PostgreSQL ${offences.length} break a rule of distribution\n`)
  return false
}

function chosenFiles(): string[] {
  const patterns = isQuick ? QUICK : major === null ? EVERYTHING : STORING
  // Some tests' packages are installed in folders under test, and bring tests of their own.
  const exclude = (path: string): boolean => basename(path) === 'node_modules'
  const found = globSync(positionals.length > 0 ? positionals : patterns, { exclude }).sort()
  return major === null ? found : found.filter((file) => readFileSync(file, 'utf8').includes('support/databases.ts'))
}
