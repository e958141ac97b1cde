// Runs the tests: starts a PostgreSQL for those that want one, then Node's own runner over every test file.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { startPostgres } from '../test/support/postgres.ts'
import { PRELOAD } from '../test/support/program.ts'
import { makeTemplate } from '../test/support/template.ts'
import { testRuns } from './test-runs.ts'

const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const files = globSync(patterns.length > 0 ? patterns : ['src/**/*.test.ts', 'test/**/*.test.ts']).sort()
if (files.length === 0) {
  process.stderr.write(`No test file matches ${patterns.join(' ')}\n`)
  process.exit(1)
}

const postgres = process.env.TEST_POSTGRES_URL === undefined ? await startPostgres() : null
const postgresUrl = postgres?.url ?? process.env.TEST_POSTGRES_URL!
await makeTemplate(postgresUrl)
const preload = new URL('../test/support/untracked-promises.ts', import.meta.url).href
const runs = testRuns(files)
// A service fills many young heaps: at full size from the start they take an eighth less time.
const heap = '--min-semi-space-size=16'
const options = ['--test', heap, `--import=${PRELOAD}`, `--import=${preload}`, '--test-concurrency=3', ...flags]
const runner = spawn(process.execPath, [...options, ...runs.files], {
  stdio: 'inherit',
  env: { ...process.env, TEST_POSTGRES_URL: postgresUrl },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
const code = await new Promise<number>((resolve) => runner.on('exit', (value) => resolve(value ?? 1)))
runs.remove()
await postgres?.stop()
process.exit(code)
