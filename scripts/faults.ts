// Tries the service under faults, in rounds that a seed decides, until the rounds or the minutes are over. A file keeps
// how far it came; the last line says how to go on.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { readOptions, refuse } from './options.ts'
import { Fuzz } from '../test/trials/fuzz.ts'
import { Histories } from '../test/trials/histories.ts'
import { Journal } from '../test/trials/journal.ts'
import { Kills } from '../test/trials/kills.ts'
import { Site } from '../test/trials/site.ts'
import type { Trial } from '../test/trials/trial.ts'

const TRIALS: Readonly<Record<string, (folder: string) => Promise<Trial>>> = {
  'kills-sqlite': async (folder) => new Kills(await Site.open('sqlite'), folder),
  'kills-postgresql': async (folder) => new Kills(await Site.open('postgresql'), folder),
  histories: async (folder) =>
    new Histories(await Site.open('postgresql'), new Journal(join(folder, 'histories.jsonl'))),
  fuzz: async (folder) => new Fuzz(await Site.open('sqlite'), new Journal(join(folder, 'fuzz.jsonl'))),
}

interface State {
  readonly seed: number
  /** Number of completed rounds, by trial. */
  readonly rounds: Record<string, number>
}

const values = readOptions({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '60' },
    trial: { type: 'string', multiple: true, default: Object.keys(TRIALS) },
    state: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`npm run test:faults -- [--trial NAME]… [--seed N] [--rounds N] [--minutes N] [--state FILE]

  --trial    one of ${Object.keys(TRIALS).join(', ')}; may be repeated; all of them when left out
  --seed     decides what is tried; a new one each time when left out
  --rounds   of each trial, at most (20)
  --minutes  for all trials together, at most (60)
  --state    keeps seed and rounds; a run with a file that is there goes on after its last round`)
  process.exit(0)
}
const unknown = values.trial.filter((name) => !(name in TRIALS))
if (unknown.length > 0) refuse(`There is no trial ${unknown.join(', ')}: ${Object.keys(TRIALS).join(', ')}`)
const rounds = wholeOf('rounds', values.rounds)
const minutes = wholeOf('minutes', values.minutes)
const seedAsked = values.seed === undefined ? null : wholeOf('seed', values.seed)
const file = values.state ?? join(tmpdir(), `knowledge-faults-${seedAsked ?? Date.now()}`, 'state.json')
const state = readState()
const startedMs = performance.now()
console.log(`seed ${state.seed}, journals in ${dirname(file)}`)

for (const [index, name] of values.trial.entries()) {
  // What is left is shared by the trials that are left.
  const leftMs = minutes * 60_000 - (performance.now() - startedMs)
  const untilMs = performance.now() + leftMs / (values.trial.length - index)
  await runTrial(name, untilMs)
}
console.log(
  `To go on: npm run test:faults -- --state ${file}${values.trial.map((name) => ` --trial ${name}`).join('')}`,
)

async function runTrial(name: string, untilMs: number): Promise<void> {
  const trial = await TRIALS[name](dirname(file))
  try {
    for (let i = 0; i < rounds && performance.now() < untilMs; i++) {
      const done = state.rounds[name] ?? 0
      try {
        await trial.round(state.seed * 1_000_003 + done)
      } catch (error) {
        process.stderr.write(`${name} failed in round ${done + 1} of seed ${state.seed}: ${inspect(error)}\n`)
        process.exitCode = 1
        return
      }
      state.rounds[name] = done + 1
      writeFileSync(file, `${JSON.stringify(state)}\n`)
    }
  } finally {
    console.log(`${name}: ${trial.figures}`)
    await trial.end()
  }
}

function readState(): State {
  mkdirSync(dirname(file), { recursive: true })
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as State
    if (seedAsked !== null && seedAsked !== saved.seed) refuse(`${file} is of seed ${saved.seed}`)
    return saved
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { seed: seedAsked ?? Math.floor(Math.random() * 1_000_000), rounds: {} }
  }
}

function wholeOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) refuse(`--${name} is a whole number`)
  return Number(text)
}
