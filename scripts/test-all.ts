// Proves everything: all tests at full counts on SQLite and the newest PostgreSQL, what stores something on each older
// PostgreSQL, and faults. Each process that passed is noted at once, so that --resume goes on after an interruption or a
// failure.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { NEWEST_POSTGRES, isInstalled, howToInstall, POSTGRES_VERSIONS } from '../test/support/postgres-versions.ts'
import { TOO_OLD_POSTGRES } from '../test/support/optional-programs.ts'
import { root } from './runtime.mjs'
import { BROKEN_DISTRIBUTION } from './testing/exit-codes.ts'

const FAULT_MINUTES = 5
/** Has what passed, by stage. */
const FOLDER = join(root, 'node_modules/.cache/test-all')

interface Stage {
  readonly name: string
  readonly script: string
  readonly args: readonly string[]
}

const { values } = parseArgs({ options: { resume: { type: 'boolean', default: false } } })
const older = [...POSTGRES_VERSIONS.keys()]
  .filter((major) => major > TOO_OLD_POSTGRES && major < NEWEST_POSTGRES)
  .sort((a, b) => a - b)
const missing = older.filter((major) => !isInstalled(major))
if (missing.length > 0) {
  process.stderr.write(`Versions of PostgreSQL are missing. Install them, then try again:\n`)
  for (const major of missing) process.stderr.write(`  ${howToInstall(major)}\n`)
  process.exit(1)
}
const stages: readonly Stage[] = [
  { name: 'everything', script: 'scripts/test.ts', args: ['--all'] },
  ...older.map((major) => ({
    name: `PostgreSQL ${major}`,
    script: 'scripts/test.ts',
    args: [`--postgres=${major}`],
  })),
  {
    name: 'faults',
    script: 'scripts/faults.ts',
    args: ['--seed=1', '--rounds=1000', `--minutes=${FAULT_MINUTES}`, `--state=${join(FOLDER, 'faults.json')}`],
  },
]
if (!values.resume) rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const startedMs = performance.now()
let isInterrupted = false
const failed: string[] = []
for (const stage of stages) {
  const done = fileOf(stage, 'done')
  if (existsSync(done)) {
    process.stdout.write(`${stage.name}: passed before\n`)
    continue
  }
  process.stdout.write(`${stage.name} …\n`)
  const isGreen = await runStage(stage)
  if (isInterrupted) break
  if (isGreen) appendFileSync(done, '')
  else failed.push(stage.name)
}
const minutes = `${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`
if (isInterrupted || failed.length > 0) {
  const what = isInterrupted ? 'Interrupted' : `Failed: ${failed.join(', ')}`
  process.stderr.write(`${what}, after ${minutes}. To go on with what has not passed: npm run test:all -- --resume\n`)
  process.exit(1)
}
process.stdout.write(`Everything passed, in ${minutes}\n`)

async function runStage(stage: Stage): Promise<boolean> {
  const [outcomes, passed] = [fileOf(stage, 'outcomes'), fileOf(stage, 'passed')]
  // An interrupted run left its outcomes.
  if (existsSync(outcomes)) appendFileSync(passed, wholeLines(outcomes))
  rmSync(outcomes, { force: true })
  const isTests = stage.script === 'scripts/test.ts'
  const args = isTests ? [`--outcomes=${outcomes}`] : []
  if (isTests && existsSync(passed)) args.push(`--passed=${passed}`)
  const child = spawn(process.execPath, [join(root, stage.script), ...stage.args, ...args], { stdio: 'inherit' })
  const stop = (): void => {
    isInterrupted = true
    child.kill('SIGINT')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const code = await new Promise<number>((resolve) => child.on('exit', (value) => resolve(value ?? 1)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  // Statements are judged together, so what is wrong with one is found again only when all run again.
  if (code === BROKEN_DISTRIBUTION) for (const file of [outcomes, passed]) rmSync(file, { force: true })
  return code === 0
}

function fileOf({ name }: Stage, kind: 'outcomes' | 'passed' | 'done'): string {
  return join(FOLDER, `${name}.${kind}`)
}

/** Without a line that the end of a process cut. */
function wholeLines(file: string): string {
  const text = readFileSync(file, 'utf8')
  return text.slice(0, text.lastIndexOf('\n') + 1)
}
