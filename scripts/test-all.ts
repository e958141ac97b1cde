// Proves everything: all tests at full counts on SQLite and the newest PostgreSQL, what reads and writes a database on
// each older PostgreSQL, and faults. What passed is noted at once, so that --resume goes on after an interruption or a
// failure.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { OPTIONAL_PROGRAMS, type OptionalProgram } from '../test/support/optional-programs.ts'
import {
  folderOf,
  isInstalled,
  NEWEST_POSTGRES,
  POSTGRES_VERSIONS,
  TOO_OLD_POSTGRES,
} from '../test/support/postgres-versions.ts'
import { root } from './runtime.mjs'
import { howToInstall, nameMissing } from './testing/missing.ts'
import { readOptions } from './options.ts'
import { codeState, RunState } from './testing/run-state.ts'

const FAULT_MINUTES = 5
/** Folder with a folder for each stage, which records the tests that passed. */
const FOLDER = join(root, 'node_modules/.cache/test-all')

interface Stage {
  readonly name: string
  readonly script: string
  readonly args: readonly string[]
  /** Argument that names the file or folder of the stage's state. */
  readonly state: string
}

const { resume } = readOptions({ options: { resume: { type: 'boolean', default: false } } })
const older = [...POSTGRES_VERSIONS.keys()]
  .filter((major) => major > TOO_OLD_POSTGRES && major < NEWEST_POSTGRES)
  .sort((a, b) => a - b)
const missing: readonly OptionalProgram[] = [
  ...Object.values<OptionalProgram>(OPTIONAL_PROGRAMS).filter(({ isThere }) => !isThere()),
  ...older
    .filter((major) => !isInstalled(major))
    .map((major) => ({
      name: `PostgreSQL ${major}`,
      proves: 'stores, API and isolation on it',
      tier: 'all' as const,
      npmFolder: folderOf(major),
      isThere: () => false,
    })),
]
const stages: readonly Stage[] = [
  testStage('everything', []),
  ...older.filter(isInstalled).map((major) => testStage(`PostgreSQL ${major}`, [`--postgres=${major}`])),
  {
    name: 'faults',
    script: 'scripts/faults.ts',
    args: ['--seed=1', '--rounds=1000', `--minutes=${FAULT_MINUTES}`],
    state: 'state.json',
  },
]
nameMissing(missing)
if (!resume) rmSync(FOLDER, { recursive: true, force: true })
const startedMs = performance.now()
let isInterrupted = false
const failed: string[] = []
for (const stage of stages) {
  process.stdout.write(`${stage.name} …\n`)
  const isGreen = await runStage(stage)
  if (isInterrupted) break
  if (!isGreen) failed.push(stage.name)
}
const minutes = `${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`
if (isInterrupted || failed.length > 0) {
  const what = isInterrupted ? 'Interrupted' : `Failed: ${failed.join(', ')}`
  process.stderr.write(`${what}, after ${minutes}. To go on with what has not passed: npm run test:all -- --resume\n`)
  process.exit(1)
}
process.stdout.write(`Passed, in ${minutes}${withoutMissing()}${onOtherCode()}\n`)

function testStage(name: string, args: readonly string[]): Stage {
  return { name, script: 'scripts/test.ts', args: ['--all', ...args], state: '.' }
}

/**
 * Runs a stage.
 * @returns whether all of its tests have passed, in this run or an earlier one
 */
async function runStage({ name, script, args, state }: Stage): Promise<boolean> {
  const options = [...args, `--state=${join(FOLDER, name, state)}`]
  const child = spawn(process.execPath, [join(root, script), ...options], { stdio: 'inherit' })
  const stop = (): void => {
    isInterrupted = true
    child.kill('SIGINT')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const code = await new Promise<number>((resolve) => child.on('exit', (value) => resolve(value ?? 1)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  return code === 0
}

/** Returns words about the programs that this machine lacks, so that the run is not taken for more than it was. */
function withoutMissing(): string {
  if (missing.length === 0) return ''
  const names = missing.map(({ name }) => name).join(', ')
  return `, but not what needs ${names}. ${howToInstall(missing)}`.trimEnd()
}

/** Returns words about the tests that passed before the code was changed. */
function onOtherCode(): string {
  const code = codeState()
  const counts = stages.map(({ name }) => new RunState(join(FOLDER, name), code).counts())
  const elsewhere = counts.reduce((sum, each) => sum + each.elsewhere, 0)
  if (elsewhere === 0) return ''
  const passed = counts.reduce((sum, each) => sum + each.passed, 0)
  return `\nOf ${passed} processes ${elsewhere} passed before the code was changed. To prove this state of it: npm run test:all`
}
