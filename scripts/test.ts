// Runs the tests: starts a PostgreSQL, then Node's test runner over every test file. With --quick it runs only unit
// tests and the API tests on SQLite.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { startPostgres } from '../test/support/postgres.ts'
import { makeTemplate } from '../test/support/template.ts'
import { testRuns } from './test-runs.ts'

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts']
const QUICK = ['src/**/*.test.ts', 'test/{api,http,mcp,tidy}/*.test.ts']

const isQuick = process.argv.includes('--quick')
const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--') && argument !== '--quick')
const files = globSync(patterns.length > 0 ? patterns : isQuick ? QUICK : EVERYTHING).sort()
if (files.length === 0) {
  process.stderr.write(`No test file matches ${patterns.join(' ')}\n`)
  process.exit(1)
}

const postgres = !isQuick && process.env.TEST_POSTGRES_URL === undefined ? await startPostgres() : null
const postgresUrl = postgres?.url ?? process.env.TEST_POSTGRES_URL
if (postgresUrl !== undefined) await makeTemplate(postgresUrl)
const preload = new URL('../test/support/untracked-promises.ts', import.meta.url).href
const runs = testRuns(files)
// A service fills many young heaps. Starting them at full size saves an eighth of the time.
const heap = '--min-semi-space-size=16'
const options = ['--test', heap, `--import=${preload}`, '--test-concurrency=3', ...flags]
const runner = spawn(process.execPath, [...options, ...runs.files], {
  stdio: 'inherit',
  env: { ...process.env, TEST_POSTGRES_URL: postgresUrl, ...(isQuick ? { TEST_DATABASES: 'sqlite' } : {}) },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
const code = await new Promise<number>((resolve) => runner.on('exit', (value) => resolve(value ?? 1)))
runs.remove()
await postgres?.stop()
process.exit(code)
